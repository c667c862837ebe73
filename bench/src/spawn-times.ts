/** `spawn-times.ts COUNT LINE`: spawns `ipset -exist restore` so often, each with one line, and prints how long each took: the milliseconds as a JSON array. Runs inside the namespace that is measured. */
import { spawn } from 'node:child_process';

const [count = '1', line = ''] = process.argv.slice(2);
const times: number[] = [];
for (let done = 0; done < Number(count); done++) {
  const began = performance.now();
  await new Promise<void>((resolve, reject) => {
    const child = spawn('ipset', ['-exist', 'restore'], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', reject);
    child.on('close', () => resolve());
    child.stdin.end(`${line}\n`);
  });
  times.push(performance.now() - began);
}
console.log(JSON.stringify(times));
