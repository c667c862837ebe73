import { desiredHeader, type SetName } from '@setkeeper/ipset';
import { createFakeClock, FakeKernel, FakeLauncher } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { createKernelReader } from '../kernel/create-kernel-reader.ts';
import type { Digest, Section } from '../plan/plan.ts';
import type { ChildReason } from './child-supply.ts';
import { createRestoreExecutor } from './create-restore-executor.ts';

const section = (name: string): Section => {
  const set = name as SetName;
  return {
    group: null,
    family: 'inet',
    set,
    how: 'create',
    header: desiredHeader({ name: set, type: 'hash:ip', family: 'inet', maxelem: 100, members: 0 }),
    temp: null,
    createMain: false,
    dels: [],
    adds: [],
    before: 0,
    after: 0,
  };
};

describe('recycle', () => {
  it('leaves the run under way its child, which waited for a word of it until its time was out', async () => {
    const kernel = new FakeKernel();
    const launcher = new FakeLauncher({ kernel });
    await launcher.acquireWriterLock(1);
    const clock = createFakeClock();
    const reasons: ChildReason[] = [];
    let names = 0;
    const executor = createRestoreExecutor({
      launcher,
      reader: createKernelReader({ launcher, clock, ipsetPath: '/usr/sbin/ipset', timeoutSeconds: 60 }),
      clock,
      ipsetPath: '/usr/sbin/ipset',
      stdbufPath: await launcher.which('stdbuf'),
      prefix: 'sk-',
      unique: () => `u${names++}`,
      random: () => 0.5,
      timeoutSeconds: 60,
      onChild: (reason) => reasons.push(reason),
    });
    const execute = (name: string) =>
      executor.execute({ digest: 'test' as Digest, modelRevision: 1, sections: [section(name)], lines: 1 }, {});
    const running = execute('a');
    executor.recycle('somebody retyped a set');
    expect((await running).counts).toEqual({ applied: 1, rejected: 0, skipped: 0, notRun: 0 });
    await execute('b');
    expect(reasons).toEqual(['first', 'recycled']);
    expect([...kernel.sets.keys()]).toEqual(expect.arrayContaining(['a', 'b']));
  });
});
