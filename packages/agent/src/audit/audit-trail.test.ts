import type { Caller } from '@setkeeper/api';
import { expect, it } from 'vitest';
import { storeBench } from '../store/testing/temporary-store.ts';
import { auditInput } from './audit-input.ts';
import { createAuditTrail } from './create-audit-trail.ts';
import { logAuditHead } from './log-audit-head.ts';

const maria: Caller = { subject: 'u', name: 'maria', role: 'operator', via: 'gateway', claimed: 'root?' };

const bench = () => {
  const { clock, open } = storeBench();
  const store = open();
  const trail = createAuditTrail({ audit: store.audit, changes: store.changes, clock, events: { emit: () => {} } });
  return { clock, store, trail, acts: () => store.audit.list({ limit: 1_000 }).items };
};

it('has the intent of an act before it is done, and its result after, here and on the time line', () => {
  const { clock, store, trail, acts } = bench();
  const entry = trail.begin({
    caller: maria,
    verb: 'sets.reprogram',
    input: { groups: ['tag:web'], reason: 'because' },
    requestId: 'r1',
  });
  expect(acts()).toMatchObject([
    { actor: 'maria', role: 'operator', claimed: 'root?', via: 'gateway', requestId: 'r1', result: 'running' },
  ]);
  clock.advance(250);
  entry.finish('succeeded run abc-1');
  expect(acts()).toMatchObject([{ verb: 'sets.reprogram', result: 'succeeded run abc-1', durationMs: 250 }]);
  expect(store.changes.list({ limit: 1 }).items).toMatchObject([
    {
      kind: 'operator',
      actor: 'maria',
      subject: 'tag:web',
      groups: ['tag:web'],
      run: 'abc-1',
      text: expect.stringContaining('because'),
    },
  ]);
});

it('has refused acts, too, but lets no nameless caller fill the disk with them', () => {
  const { clock, trail, acts } = bench();
  trail.refuse({ caller: maria, verb: 'holds.add', input: {}, requestId: 'r', result: 'not-permitted' });
  expect(acts()).toMatchObject([{ actor: 'maria', result: 'refused: not-permitted' }]);
  for (let index = 0; index < 1_000; index += 1)
    trail.refuse({ caller: null, verb: 'holds.add', input: {}, requestId: 'r', result: 'unauthenticated' });
  expect(acts()).toHaveLength(21);
  clock.advance(1_000);
  trail.refuse({ caller: null, verb: 'holds.add', input: {}, requestId: 'r', result: 'unauthenticated' });
  expect(acts()[0]?.input).toContain('"refusalsNotRecorded":980');
});

it('has what happened to accounts of a gateway: who, what and from where; a name that was only typed is not who', async () => {
  const { trail, acts } = bench();
  const event = {
    id: 7,
    at: '2026-06-01T12:00:00.000Z',
    actor: 'maria',
    role: 'admin',
    proved: true,
    act: 'change-user',
    subject: 'joe (operator)',
    address: '192.0.2.1',
    result: 'done',
  } as const;
  await trail.account(event, 'gateway-1');
  await trail.account({ ...event, id: 8, act: 'change-password', role: null, result: 'wrong' }, 'gateway-1');
  await trail.account({ ...event, id: 9, act: 'sign-in', subject: '', proved: false, result: 'wrong' }, 'gateway-1');
  expect(acts()).toMatchObject([
    { actor: '-', role: '-', verb: 'account.sign-in', result: 'refused: wrong', requestId: 'gateway-1:9' },
    { actor: 'maria', role: '-', verb: 'account.change-password', result: 'refused: wrong' },
    { actor: 'maria', role: 'admin', verb: 'account.change-user', result: 'done', requestId: 'gateway-1:7' },
  ]);
  expect(JSON.parse(acts()[0]?.input ?? '')).toEqual({ typedName: 'maria', address: '192.0.2.1', at: event.at });
  expect(JSON.parse(acts()[2]?.input ?? '')).toMatchObject({ subject: 'joe (operator)', address: '192.0.2.1' });
});

it('lets nobody who tries passwords push others out of the audit', async () => {
  const { clock, trail, acts } = bench();
  const tried = {
    at: '',
    actor: 'root',
    role: null,
    proved: false,
    act: 'sign-in',
    subject: '',
    address: '',
    result: 'wrong',
  };
  for (let id = 1; id <= 500; id += 1) await trail.account({ ...tried, id }, 'gateway-1');
  expect(acts()).toHaveLength(20);
  trail.refuse({ caller: null, verb: 'holds.add', input: {}, requestId: 'r', result: 'unauthenticated' });
  expect(acts()).toHaveLength(21);
  clock.advance(1_000);
  await trail.account({ ...tried, id: 501 }, 'gateway-1');
  expect(acts()[0]?.input).toContain('"refusalsNotRecorded":480');
});

it('keeps no secret, and of long texts the beginning and the length', () => {
  const written = auditInput({
    name: 'a',
    password: 'hunter2',
    nested: { apiToken: 'tok' },
    documents: 'x'.repeat(5_000),
  });
  expect(written).not.toMatch(/hunter2|tok"/u);
  expect(written).toContain('... (5000 characters)');
  expect(auditInput({ groups: Array.from({ length: 10_000 }, (_, index) => `tag:${index}`) }).length).toBeLessThan(
    20_000,
  );
  expect(auditInput(undefined)).toBe('null');
});

it('writes the head of the chain to the log at start, when it moved, and at the end', () => {
  const { clock, store, trail } = bench();
  const logged: number[] = [];
  const stop = logAuditHead(store.audit, clock, ({ entry }) => logged.push(entry));
  clock.advance(120_000);
  trail.begin({ caller: maria, verb: 'v', input: {}, requestId: 'r' }).finish('done');
  clock.advance(60_000);
  trail.begin({ caller: maria, verb: 'v', input: {}, requestId: 'r' });
  stop();
  expect(logged).toEqual([0, 2, 3]);
  clock.advance(120_000);
  expect(logged).toHaveLength(3);
});
