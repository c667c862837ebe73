import { type AccountEvent, AccountEvents, accountEventsMax, accountEventsPath } from '@setkeeper/api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAgentLink } from '../agents/agent-link.ts';
import { startFakeAgent, testSigningKey } from '../testing/fake-agent.ts';
import { createAccountLog } from './account-log.ts';
import { createAccountReports } from './account-reports.ts';
import { openAccountStore } from './account-store.ts';
import { createUsers } from './users.ts';

/** A store, an agent that takes reports while `isUp`, and what it took. */
async function bench() {
  const key = testSigningKey();
  const took: AccountEvent[] = [];
  const agent = { isUp: true };
  const fake = await startFakeAgent(key, ({ url, body, claims }, response) => {
    const isOurs = url === accountEventsPath && claims.sub === 'gateway' && claims.role === 'viewer';
    if (agent.isUp && isOurs) took.push(...AccountEvents.parse(JSON.parse(body)).events);
    response.writeHead(agent.isUp && isOurs ? 200 : 503).end('{}');
  });
  const link = createAgentLink({ name: 'node-a', socket: fake.socket }, key);
  const database = openAccountStore(':memory:');
  const told: string[] = [];
  const start = () => {
    const log = {
      warn: (_: object, words: string) => told.push(words),
      info: (_: object, words: string) => told.push(words),
    };
    const reports = createAccountReports({ database, links: [link], log });
    onTestFinished(() => reports.close());
    return reports;
  };
  onTestFinished(async () => {
    await link.close();
    await fake.close();
    database.close();
  });
  return { agent, took, told, start, database, log: createAccountLog(database, () => 1_780_315_200_000) };
}

const signIn = { actor: 'maria', act: 'sign-in', subject: '', address: '192.0.2.1', result: 'done' };

describe('reports of accounts', () => {
  it('bring every line to an agent once, in order, with role and proof', async () => {
    const { took, start, database, log } = await bench();
    createUsers(database, () => 0).add({
      name: 'maria',
      role: 'operator',
      passwordHash: 'x',
      mustChangePassword: false,
    });
    const reports = start();
    log.add(signIn);
    log.add({ ...signIn, actor: 'nobody', result: 'wrong' });
    log.add({ ...signIn, act: 'change-password', subject: 'maria', result: 'wrong' });
    await reports.report();
    await reports.report();
    expect(took.map(({ actor, role, proved, act, result }) => [actor, role, proved, act, result])).toEqual([
      ['maria', 'operator', true, 'sign-in', 'done'],
      ['nobody', null, false, 'sign-in', 'wrong'],
      ['maria', 'operator', true, 'change-password', 'wrong'],
    ]);
    expect(took[0]).toMatchObject({ id: 1, at: '2026-06-01T12:00:00.000Z', address: '192.0.2.1' });
  });

  it('are kept for an agent that is away, over a restart of the gateway, and say so once', async () => {
    const { agent, took, told, start, log } = await bench();
    const before = start();
    agent.isUp = false;
    for (let count = 0; count < accountEventsMax + 5; count += 1) log.add(signIn);
    await before.report();
    await before.report();
    expect([took, told]).toEqual([[], [expect.stringContaining('takes no reports')]]);
    before.close();
    agent.isUp = true;
    await start().report();
    expect(took.map(({ id }) => id)).toEqual(Array.from({ length: accountEventsMax + 5 }, (_, index) => index + 1));
  });

  it('begin with what happens from now on where an agent is new', async () => {
    const { took, start, log } = await bench();
    log.add(signIn);
    const reports = start();
    log.add({ ...signIn, act: 'end-session' });
    await reports.report();
    expect(took.map(({ act }) => act)).toEqual(['end-session']);
  });
});
