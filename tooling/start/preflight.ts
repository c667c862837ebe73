import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { Sentence } from './sentence.ts';

const programs = [
  'packages/agent/dist/agent.js',
  'packages/agent/dist/launcher.js',
  'packages/gateway/dist/gateway.js',
  'apps/console/out/index.html',
];

/** Throws a sentence unless everything that is run or served has been built. */
export function requireBuilt(root: string): void {
  const missing = programs.filter((path) => !existsSync(join(root, path)));
  if (missing.length === 0) return;
  throw new Sentence(`Not built: ${missing.join(', ')}.`, 'Remove node_modules and .turbo, and run ./start again.');
}

/** The model that runs when no other is named. */
export function exampleModel(root: string): string {
  return join(root, 'examples/model');
}

/** The absolute model directory, or a sentence if it is none. `given` is relative to the caller's folder. */
export function modelDirectory(root: string, given: string | undefined): string {
  const path = given === undefined ? exampleModel(root) : resolve(given);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Sentence(
      `The model directory ${path} is not a directory.`,
      'Make it, or name another: ./start --model DIR',
    );
  }
  return path;
}

/** The port to listen on: the one asked for if it is free, any free one for 0; else a sentence. */
export async function freePort(port: number): Promise<number> {
  const server = createServer();
  return new Promise((taken, refused) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      refused(
        new Sentence(
          error.code === 'EADDRINUSE'
            ? `Port ${port} of 127.0.0.1 is taken by another program.`
            : `Port ${port} of 127.0.0.1 cannot be used: ${error.message}.`,
          'Choose another: ./start --port N (0: any free port)',
        ),
      ),
    );
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const got = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => taken(got));
    });
  });
}
