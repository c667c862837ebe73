import { setTimeout as delay } from 'node:timers/promises';
import { type Member, sortMembers } from '@setkeeper/ipset';
import { FakeKernel, FakeLauncher, FakeRestore, type Interference } from '@setkeeper/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKernelReader } from '../kernel/create-kernel-reader.ts';
import { nodeClock } from '../node-clock.ts';
import { createRestoreExecutor } from '../restore/create-restore-executor.ts';
import { EngineWorld } from './testing/engine-world.ts';
import { applyModelEvent, modelEvent, wantedSets } from './testing/random-model.ts';

const config = { guard: 'off', resync: { headersSeconds: 2 } };
const pick = <T>(...values: T[]) => fc.constantFrom(...values);

const event = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: pick('model' as const), change: modelEvent }) },
  { weight: 1, arbitrary: fc.record({ kind: pick('pass' as const), ms: fc.nat(2_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: pick('interfere' as const),
      what: pick<Interference>('kill', 'kill-after', 'exit-0', 'warn', 'flood'),
      in: fc.nat(12),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: pick('meddle' as const),
      line: pick(
        'flush sk-v4-t.a',
        'destroy sk-v4-n.n',
        'destroy sk-v6-t.a',
        'add sk-v4-t.b 192.0.2.7',
        'del sk-v4-t.a 10.0.0.1',
        'create sk-v4-t.c hash:net',
        'swap sk-v4-t.a sk-v4-t.b',
        'flush sk-l.l',
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: pick('use' as const), set: pick('sk-v4-t.a', 'sk-v4-n.n') }) },
);

/** An engine whose reader and executor are the real ones, on a kernel that is a fake which agrees with the real one. */
async function onFakeKernel() {
  const kernel = new FakeKernel();
  let interference: { readonly what: Interference; in: number } | null = null;
  const launcher = new FakeLauncher({
    kernel,
    interfere: () => {
      if (interference === null || interference.in-- > 0) return undefined;
      const { what } = interference;
      interference = null;
      return what;
    },
  });
  await launcher.acquireWriterLock(0);
  const reader = createKernelReader({ launcher, clock: nodeClock, ipsetPath: '/usr/sbin/ipset', timeoutSeconds: 60 });
  let names = 0;
  const executor = createRestoreExecutor({
    launcher,
    reader,
    clock: nodeClock,
    ipsetPath: '/usr/sbin/ipset',
    stdbufPath: '/usr/bin/stdbuf',
    prefix: 'sk-',
    unique: () => `a${names++}`,
    random: () => 0.5,
    timeoutSeconds: 60,
  });
  const ports = { reader, executor, isInternal: (name: string) => name.startsWith('sk-ack-') };
  const w = new EngineWorld({ config, ports });
  const interfere = (next: typeof interference): void => {
    interference = next;
  };
  return { w, kernel, executor, launcher, interfere };
}

/** By hand: one line, whatever comes of it. */
function meddle(kernel: FakeKernel, line: string): void {
  const restore = new FakeRestore(kernel);
  try {
    restore.take(line);
    restore.end();
  } catch {
    // The kernel refused it: nothing happened.
  }
}

/** Restores answer in real time; pauses of the engine end as fast as they can. */
async function untilSettled(w: EngineWorld): Promise<void> {
  let calm = 0;
  for (let step = 0; step < 3_000 && calm < 100; step++) {
    await delay(1);
    w.clock.advance(5_000);
    calm = w.engine.settled().settled ? calm + 1 : 0;
  }
  expect(w.engine.settled().settled).toBe(true);
}

describe('any history through real restores', () => {
  it('ends with the kernel as the model says, and nothing of ours left over', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
        const { w, kernel, executor, launcher, interfere } = await onFakeKernel();
        meddle(kernel, 'create foreign hash:ip');
        for (const each of events) {
          if (each.kind === 'model') applyModelEvent(w, each.change);
          else if (each.kind === 'pass') await w.pass(each.ms, 100);
          else if (each.kind === 'interfere') interfere({ what: each.what, in: each.in });
          else if (each.kind === 'use') kernel.hold(each.set);
          else meddle(kernel, each.line);
        }
        interfere(null);
        for (const set of ['sk-v4-t.a', 'sk-v4-n.n']) for (let i = 0; i < 30; i++) kernel.release(set);
        await untilSettled(w);
        await executor.close();
        const found = Object.fromEntries(
          [...kernel.sets.keys()].map((name) => [name, sortMembers((kernel.elements(name) ?? []) as Member[])]),
        );
        const wanted = wantedSets(w);
        // Made by hand with a name like ours: a leftover, which is an operator's to clean up.
        const isLeftover = found['sk-v4-t.c'] !== undefined && wanted['sk-v4-t.c'] === undefined;
        expect(found).toEqual({ ...wanted, foreign: [], ...(isLeftover ? { 'sk-v4-t.c': [] } : {}) });
        expect(w.bugs).toEqual([]);
        expect(w.codes.filter((code) => code !== 'no-longer-used')).toEqual([]);
        expect(launcher.living).toBe(0);
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
