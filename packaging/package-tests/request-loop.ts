/**
 * Asks the agent at the socket that it is given for its status, one request after another and each by a connection of its
 * own, until told to end (SIGTERM). Then prints how many were answered and how many were lost, as JSON.
 */
import { request } from 'node:http';

const socketPath = process.argv[2] ?? '';
const PAUSE_MS = 5;
const lost = new Set<string>();
let answered = 0;
let lostCount = 0;
let slowestMs = 0;
let isEnding = false;
process.on('SIGTERM', () => {
  isEnding = true;
});

while (!isEnding) {
  const started = performance.now();
  try {
    await ask();
    answered += 1;
  } catch (error) {
    lostCount += 1;
    lost.add(error instanceof Error ? error.message : String(error));
  }
  slowestMs = Math.max(slowestMs, Math.round(performance.now() - started));
  await new Promise((done) => setTimeout(done, PAUSE_MS));
}
console.log(JSON.stringify({ answered, lost: lostCount, why: [...lost], slowestMs }));

function ask(): Promise<void> {
  return new Promise((done, fail) => {
    const asked = request({ socketPath, path: '/api/trpc/status.get', agent: false }, (response) => {
      response.resume();
      response.on('error', fail);
      response.on('end', () => {
        if (response.statusCode === 200) done();
        else fail(new Error(`HTTP ${response.statusCode}`));
      });
    });
    asked.on('error', fail);
    asked.end();
  });
}
