import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import type { Sink, World } from './world.ts';

/** The world of a real process. A reader that goes away (`| head`) ends it quietly. */
export function processWorld(): World {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      controller.abort();
      // A second one ends the process at once.
    });
  return {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    stdin: {
      isTTY: process.stdin.isTTY === true,
      read: () => text(process.stdin),
      async question(prompt) {
        const lines = createInterface({ input: process.stdin, output: process.stderr });
        try {
          return await lines.question(prompt, { signal: controller.signal });
        } finally {
          lines.close();
        }
      },
    },
    env: process.env,
    now: () => Date.now(),
    signal: controller.signal,
    loginUser,
  };
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  return {
    isTTY: stream.isTTY === true,
    columns: stream.columns ?? 100,
    write: (text) =>
      new Promise((resolve) => {
        if (stream.write(text)) resolve();
        else stream.once('drain', resolve);
      }),
  };
}

/** The login user behind this process (`/proc/self/loginuid`, kept through sudo), by name where /etc/passwd has one. */
function loginUser(): string | undefined {
  const uid = readOrEmpty('/proc/self/loginuid').trim();
  // 4294967295 is "not set": a service, a container.
  if (!/^[0-9]+$/u.test(uid) || uid === '4294967295') return undefined;
  for (const line of readOrEmpty('/etc/passwd').split('\n')) {
    const [name, , id] = line.split(':');
    if (id === uid && name !== undefined) return name;
  }
  return `uid:${uid}`;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
