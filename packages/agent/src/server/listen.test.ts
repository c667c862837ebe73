import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import { createServer as createPlainServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from './listen.ts';
import { activatedSockets } from './socket-activation.ts';

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'sk-listen-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};
const server = (): Server => {
  const made = createServer();
  onTestFinished(() => void made.close());
  return made;
};
const place = (path: string, mode = 0o600) => ({ kind: 'path' as const, path, mode, group: null });

it('makes the socket with its mode, and the folders above it', async () => {
  const path = join(folder(), 'deep/er/agent.sock');
  await listen(server(), place(path, 0o660));
  expect(statSync(path).mode & 0o777).toBe(0o660);
});

it('takes over a socket file that a killed process left', async () => {
  const path = join(folder(), 'agent.sock');
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
  expect(existsSync(path)).toBe(true);
  await listen(server(), place(path));
});

it('never takes a socket on which somebody answers', async () => {
  const path = join(folder(), 'agent.sock');
  const other = createPlainServer();
  await new Promise<void>((done) => other.listen(path, done));
  await expect(listen(server(), place(path))).rejects.toThrow(`Another program answers on ${path}`);
  expect(existsSync(path)).toBe(true);
  other.close();
});

it('never removes a file that is no socket', async () => {
  const path = join(folder(), 'agent.sock');
  writeFileSync(path, 'precious');
  chmodSync(path, 0o600);
  await expect(listen(server(), place(path))).rejects.toThrow('exists and is no socket');
  expect(existsSync(path)).toBe(true);
});

it('says when a path is too long for a socket', async () => {
  await expect(listen(server(), place(`/tmp/${'x'.repeat(110)}`))).rejects.toThrow(/longer than 107 bytes/u);
});

it('answers on a socket that was made, and passed, by another process', async () => {
  const path = join(folder(), 'agent.sock');
  const passed = createPlainServer();
  await new Promise<void>((done) => passed.listen(path, done));
  // A service manager makes the socket and starts the program with it; here the parent's own listening socket is passed.
  const script = `
    import { createServer } from 'node:http';
    import { listen } from ${JSON.stringify(join(import.meta.dirname, 'listen.ts'))};
    await listen(createServer((_request, answer) => answer.end('by the child')), { kind: 'descriptor', descriptor: 3 });
    process.send('ready');
  `;
  const handle: unknown = Reflect.get(passed, '_handle');
  const descriptor: unknown = Reflect.get(Object(handle), 'fd');
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'inherit', 'inherit', Number(descriptor), 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  // The parent lets go: only the child accepts from now on. Closing by the descriptor keeps the file.
  const answer = await new Promise<string>((resolve, reject) => {
    passed.unref();
    passed.removeAllListeners('connection');
    passed.on('connection', (socket) => socket.destroy());
    const ask = (left: number): void => {
      const request = get({ socketPath: path, path: '/' }, (response) => {
        response.setEncoding('utf8');
        response.once('data', resolve);
      });
      // The kernel hands a connection to either of the two that listen; the parent only hangs up.
      request.once('error', (error) => (left > 0 ? ask(left - 1) : reject(error)));
    };
    ask(200);
  });
  expect(answer).toBe('by the child');
  passed.close();
});

it('takes the sockets that systemd passed to this very process, by their names', () => {
  const environment = { LISTEN_PID: '42', LISTEN_FDS: '2', LISTEN_FDNAMES: 'admin:agent' };
  expect([...activatedSockets(environment, 42)]).toEqual([
    ['admin', 3],
    ['agent', 4],
  ]);
  expect(activatedSockets(environment, 43).size).toBe(0);
  expect(activatedSockets({}, 42).size).toBe(0);
});
