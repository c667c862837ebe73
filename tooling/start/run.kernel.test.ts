import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp } from './clean-up.ts';
import { layoutOf } from './layout.ts';
import { findLeftBehind } from './left-behind.ts';
import { namespaceExists } from './network-namespace.ts';
import { run } from './run.ts';
import type { StopRequest } from './stop-request.ts';

/** Answers on both sockets of its configuration, and says in which network namespace it is. */
const agentProgram = `
import { createServer } from 'node:http';
import { readFileSync, readlinkSync, rmSync } from 'node:fs';
const config = readFileSync(process.argv[3], 'utf8');
for (const key of ['socket', 'adminSocket']) {
  const path = new RegExp('^' + key + ': (.*)$', 'm').exec(config)[1];
  rmSync(path, { force: true });
  createServer((_, response) => response.end(readlinkSync('/proc/self/ns/net'))).listen(path);
}
process.on('SIGTERM', () => { console.log('agent stops'); process.exit(0); });
console.log('agent is up with ' + process.pid);
`;

/** Passes requests on to the agent's socket, and says with which user and capabilities it runs. */
const gatewayProgram = `
import { createServer, request } from 'node:http';
import { readFileSync } from 'node:fs';
const config = readFileSync(process.argv[3], 'utf8');
const socketPath = /socket: (.*)/.exec(config)[1];
const page = readFileSync(/console: (.*)/.exec(config)[1] + '/index.html', 'utf8');
createServer((asked, response) => {
  if (asked.url === '/') return response.end(page);
  request({ socketPath }, (answer) => answer.pipe(response)).on('error', () => { response.statusCode = 502; response.end(); }).end();
}).listen(Number(/listen: .*:(\\d+)/.exec(config)[1]), '127.0.0.1');
const capabilities = readFileSync('/proc/self/status', 'utf8').match(/CapEff:\\s*(\\S+)/)[1];
console.log('gateway has user ' + process.getuid() + ' groups ' + process.getgroups() + ' capabilities ' + capabilities);
`;

describe('a start', () => {
  const root = mkdtempSync(join(tmpdir(), 'setkeeper-start-'));
  const layout = layoutOf(root);

  function listen() {
    const heard: string[] = [];
    const waiting = new Map<string, PromiseWithResolvers<string>>();
    const hear = (text: string) => {
      heard.push(text);
      for (const [words, { resolve }] of waiting) if (text.includes(words)) resolve(text);
    };
    const until = (words: string) => {
      const known = heard.find((text) => text.includes(words));
      const wait = Promise.withResolvers<string>();
      waiting.set(words, wait);
      if (known !== undefined) wait.resolve(known);
      return wait.promise;
    };
    return { voice: { say: hear, line: (_: string, text: string) => hear(text) }, heard, until };
  }

  function stoppable() {
    const stop = new AbortController();
    const requested = Promise.withResolvers<string>();
    const request: StopRequest = {
      signal: stop.signal,
      requested: requested.promise,
      hurry: new AbortController().signal,
    };
    return {
      request,
      stop: () => {
        stop.abort(new Error('test'));
        requested.resolve('test');
      },
    };
  }

  function write(path: string, text: string): void {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  beforeAll(() => {
    const esModules = '{ "type": "module" }';
    write('packages/agent/dist/package.json', esModules);
    write('packages/agent/dist/agent.js', agentProgram);
    write('packages/agent/dist/launcher.js', '');
    write('packages/gateway/dist/package.json', esModules);
    write('packages/gateway/dist/gateway.js', gatewayProgram);
    write('apps/console/out/index.html', 'the console');
    mkdirSync(join(root, 'examples/model'), { recursive: true });
  });

  afterAll(async () => {
    await cleanUp(layout, 0);
    rmSync(root, { recursive: true, force: true });
  });

  it('runs the agent in a namespace of its own and the gateway outside without privileges, and leaves nothing', async () => {
    const { voice, until } = listen();
    const { request, stop } = stoppable();
    const ended = run(layout, { mode: 'private', port: 0, model: undefined, logins: false }, request, voice);
    const url = (await until('Console:')).replace('Console:', '').trim();
    expect(await until('gateway has')).toBe(
      `gateway has user ${layout.gatewayUser} groups ${layout.gatewayUser} capabilities 0000000000000000`,
    );
    expect(await (await fetch(url)).text()).toBe('the console');
    expect(await (await fetch(`${url}api`)).text()).toMatch(/^net:\[\d+\]$/);
    expect(existsSync(layout.runFile)).toBe(true);

    stop();
    await ended;
    await until('agent stops');
    expect(await namespaceExists(layout.namespace)).toBe(false);
    expect(findLeftBehind(layout.namespace)).toEqual([]);
    expect([layout.runFile, layout.runtimeDirectory].filter((path) => existsSync(path))).toEqual([]);
  });

  it('starts an agent again that was killed', async () => {
    const { voice, until, heard } = listen();
    const { request, stop } = stoppable();
    const ended = run(layout, { mode: 'private', port: 0, model: undefined, logins: false }, request, voice);
    await until('Console:');
    const pid = Number(/\d+$/.exec(await until('agent is up with'))?.[0]);
    heard.length = 0;
    process.kill(pid, 'SIGKILL');
    await until('the agent ended by itself (signal SIGKILL)');
    const again = Number(/\d+$/.exec(await until('agent is up with'))?.[0]);
    expect(again).not.toBe(pid);
    stop();
    await ended;
  });

  it('says why and leaves nothing when the agent does not come up', async () => {
    const { voice } = listen();
    write('packages/agent/dist/agent.js', 'console.error("no kernel"); process.exit(3);');
    const started = run(
      layout,
      { mode: 'private', port: 0, model: undefined, logins: false },
      stoppable().request,
      voice,
    );
    await expect(started).rejects.toThrow('The agent ended before it answered (exit code 3).');
    write('packages/agent/dist/agent.js', agentProgram);
    expect(await namespaceExists(layout.namespace)).toBe(false);
    expect(existsSync(layout.runtimeDirectory)).toBe(false);
  });

  it('cleans up what a killed start left before it starts', async () => {
    const script = `
      import { layoutOf } from ${JSON.stringify(join(import.meta.dirname, 'layout.ts'))};
      import { run } from ${JSON.stringify(join(import.meta.dirname, 'run.ts'))};
      const never = new AbortController().signal;
      const stop = { signal: never, requested: new Promise(() => {}), hurry: never };
      await run(layoutOf(process.argv[2]), { mode: 'private', port: 0, model: undefined, logins: false }, stop, {
        say: (text) => console.log(text), line: () => {},
      });`;
    write('start.mjs', script);
    const killed = spawn(process.execPath, [join(root, 'start.mjs'), root], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    for await (const chunk of killed.stdout) {
      said += String(chunk);
      if (said.includes('Stop:')) break;
    }
    const gone = once(killed, 'exit');
    killed.kill('SIGKILL');
    await gone;
    expect(await namespaceExists(layout.namespace)).toBe(true);

    const { voice, until, heard } = listen();
    const { request, stop } = stoppable();
    const ended = run(layout, { mode: 'private', port: 0, model: undefined, logins: false }, request, voice);
    await until('Console:');
    expect(heard[0]).toMatch(/^cleaned up after a start that did not end well: .*the namespace/);
    stop();
    await ended;
    expect(await namespaceExists(layout.namespace)).toBe(false);
  });
});
