import { createFakeClock } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { EtcdChange, EtcdConnection, EtcdPosition, EtcdWatchHandlers } from './etcd-connection.ts';
import { EtcdSession } from './etcd-session.ts';
import { SetkeeperLayout } from './setkeeper-layout.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const at = (revision: bigint, clusterId = 'one'): EtcdPosition => ({ clusterId, revision });
const put = (id: string): EtcdChange => ({ key: `hosts/${id}`, value: '{}', isText: true });

/** A session on a connection that the test plays. */
async function session() {
  const clock = createFakeClock();
  let handlers: EtcdWatchHandlers | null = null;
  let watchedFrom = 0n;
  let answer: () => Promise<EtcdPosition> = async () => at(10n);
  const connection: EtcdConnection = {
    snapshot: async (onPage) => {
      await onPage([put('a')]);
      return at(10n);
    },
    watch: async (revision, given) => {
      watchedFrom = revision;
      handlers = given;
    },
    position: () => answer(),
    close: () => {},
  };
  const made = new EtcdSession(connection, clock);
  const layout = new SetkeeperLayout();
  const position = await made.readInto(layout);
  const taken: string[][] = [];
  const over = made
    .follow(async (changes) => void taken.push(changes.map(({ key }) => key)))
    .catch((error: Error) => error.message);
  const ask = async () => {
    clock.advance(5_000);
    for (let i = 0; i < 10; i++) await turn();
  };
  return {
    position,
    watchedFrom: () => watchedFrom,
    layout,
    taken,
    over,
    ask,
    changes: (revision: bigint, clusterId: string, ...ids: readonly string[]) =>
      handlers?.onChanges(ids.map(put), at(revision, clusterId)),
    lose: (reason: string) => handlers?.onLost(reason),
    answers: (next: () => Promise<EtcdPosition>) => {
      answer = next;
    },
    end: (reason: string) => made.end(reason),
  };
}

describe('a session with etcd', () => {
  it('follows from the revision after its snapshot, and hands on what comes together as one', async () => {
    const the = await session();
    expect(the.watchedFrom()).toBe(11n);
    expect([...the.layout.take().keys()]).toEqual(['host/a']);
    the.changes(11n, 'one', 'b');
    the.changes(12n, 'one', 'c', 'd');
    await turn();
    expect(the.taken).toEqual([['hosts/b', 'hosts/c', 'hosts/d']]);
    the.lose('it is gone');
    expect(await the.over).toBe('it is gone');
  });

  it('ends when its member is cut off: two questions in a row without an answer', async () => {
    const the = await session();
    the.answers(() => Promise.reject(new Error('no leader')));
    await the.ask();
    the.answers(async () => at(10n));
    await the.ask();
    the.answers(() => Promise.reject(new Error('no leader')));
    await the.ask();
    await the.ask();
    expect(await the.over).toBe('no leader');
  });

  it.each([
    ['its revision went back', 9n, 'one', /went back from 10 to 9/],
    ['it is another cluster', 50n, 'two', /another one: two, was one/],
  ])('ends when %s, whoever says so first', async (_name, revision, clusterId, reason) => {
    const asked = await session();
    asked.answers(async () => at(revision, clusterId));
    await asked.ask();
    expect(await asked.over).toMatch(reason);
    const watched = await session();
    watched.changes(revision, clusterId, 'never');
    expect(await watched.over).toMatch(reason);
    expect(watched.taken).toEqual([]);
  });

  it('is not misled by an answer that was given before a change came', async () => {
    const the = await session();
    the.answers(async () => {
      the.changes(11n, 'one', 'b');
      return at(10n);
    });
    await the.ask();
    expect(the.taken).toEqual([['hosts/b']]);
    the.end('stopped');
    expect(await the.over).toBe('stopped');
  });
});
