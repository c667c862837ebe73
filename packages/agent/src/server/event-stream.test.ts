import { get } from 'node:http';
import { leasePath } from '@setkeeper/api';
import { describe, expect, it } from 'vitest';
import { type ApiBench, apiBench } from './testing/api-bench.ts';

interface OpenStream {
  /** Resolves with all text so far once it contains `words`. */
  until(words: string): Promise<string>;
  /** Resolves with all text when the agent has ended the stream. */
  readonly ended: Promise<string>;
  leave(): void;
}

function open(socketPath: string, path: string, headers: Record<string, string>): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const request = get({ socketPath, path, headers }, (answer) => {
      let text = '';
      const waiting: (() => void)[] = [];
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
        for (const check of waiting) check();
      });
      resolve({
        until: (words) =>
          new Promise((found) => {
            const check = (): void => {
              if (text.includes(words)) found(text);
            };
            waiting.push(check);
            check();
          }),
        ended: new Promise((end) => answer.on('close', () => end(text))),
        leave: () => request.destroy(),
      });
    });
    request.on('error', reject);
  });
}

const PATH = '/api/trpc/events.watch';
const watch = async (bench: ApiBench, claims: Record<string, unknown>, headers: Record<string, string> = {}) => {
  const statement = await bench.signer.sign({ now: Date.now() / 1000, role: 'viewer', claims });
  return open(bench.group, PATH, { ...headers, authorization: `Bearer ${statement}` });
};
const renew = async (bench: ApiBench, claims: Record<string, unknown>) => {
  const request = { method: 'POST', path: leasePath, body: '{}' };
  const statement = await bench.signer.sign({ now: Date.now() / 1000, role: 'viewer', claims, request });
  return bench.ask(bench.group, { ...request, headers: { authorization: `Bearer ${statement}` } });
};

describe('the event stream on a socket', () => {
  it('begins with a reset, then tells what happens, and resumes after the last id without loss', async () => {
    const bench = await apiBench();
    const first = await watch(bench, { lease: 60 });
    await first.until('"type":"reset"');
    bench.events.emit({ type: 'run-started', run: 'one' });
    await first.until('"run":"one"');
    first.leave();
    bench.events.emit({ type: 'run-started', run: 'two' });
    const second = await watch(bench, { lease: 60 }, { 'last-event-id': 'test-1' });
    const text = await second.until('"run":"two"');
    expect(text).not.toContain('reset');
    expect(text).not.toContain('"run":"one"');
    second.leave();
  });

  it('ends without the word that keeps a client away when its lease is over', async () => {
    const bench = await apiBench();
    const stream = await watch(bench, { lease: 0.3 });
    const text = await stream.ended;
    expect(text).toContain('"type":"reset"');
    expect(text).not.toMatch(/event: (?:return|serialized-error)/u);
  });

  it('goes on when it is renewed, and ends at once on sign-out', async () => {
    const bench = await apiBench();
    const stream = await watch(bench, { lease: 30 });
    await stream.until('reset');
    const answer = await renew(bench, { lease: 60 });
    expect(JSON.parse(answer.text)).toEqual({ streams: 1, until: expect.stringMatching(/Z$/u) });
    bench.events.emit({ type: 'run-started', run: 'later' });
    await stream.until('"run":"later"');
    await renew(bench, { lease: 0 });
    expect(await stream.ended).toContain('later');
    expect(JSON.parse((await renew(bench, { lease: 60 })).text).streams).toBe(0);
  });

  it('of the admin socket needs no lease, and ends when the agent stops', async () => {
    const bench = await apiBench();
    const stream = await open(bench.admin, PATH, {});
    await stream.until('reset');
    bench.events.close();
    expect(await stream.ended).not.toMatch(/event: return/u);
  });
});
