import { once } from 'node:events';
import { execa } from 'execa';
import { expect, it } from 'vitest';

/** Works until it is interrupted, with a child of its own, and then takes a while to clear up. */
const program = `
import { execa } from 'execa';
import { interrupted, isToldToEnd, within } from ${JSON.stringify(import.meta.resolve('./interruption.ts'))};
const child = execa('sleep', ['60'], { reject: false });
const work = async () => {
  console.log('at work');
  try {
    await interrupted();
  } finally {
    child.kill();
    await child;
    await new Promise((resolve) => setImmediate(resolve));
    console.log('cleared up');
  }
};
await within(60, work).catch(({ message }) => console.log(message));
console.log(isToldToEnd());
`;

it('lets what is under way clear up when the benchmark is told to end, though it has children', async () => {
  const bench = execa(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    reject: false,
  });
  await once(bench.stdout, 'data');
  bench.kill('SIGTERM');
  const { stdout } = await bench;
  expect(stdout.split('\n')).toEqual(['at work', 'cleared up', 'told to end by SIGTERM', 'true']);
});
