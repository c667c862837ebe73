import { FakeKernel, FakeLauncher, type FakeLauncherOptions } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { preflight, supportedTypes } from './preflight.ts';

async function look(options: Partial<FakeLauncherOptions> & { readonly probeName?: string | null } = {}) {
  const kernel = options.kernel ?? new FakeKernel();
  const launcher = new FakeLauncher({ ...options, kernel });
  await launcher.acquireWriterLock(1);
  const probeName = options.probeName === undefined ? 'sk-tmp-probe' : options.probeName;
  const found = await preflight({ launcher, ipset: 'ipset', probeName, timeoutSeconds: 5 });
  return { found, kernel, launcher };
}

describe('preflight', () => {
  it('finds ipset, its version and protocol, stdbuf, types and permission, and leaves nothing behind', async () => {
    const { found, kernel } = await look();
    expect(found).toMatchObject({
      ipsetPath: '/usr/sbin/ipset',
      version: '7.17',
      protocol: 7,
      stdbufPath: '/usr/sbin/stdbuf',
      capabilities: { netAdmin: true, netRaw: true },
      obstacles: [],
    });
    expect(supportedTypes(found.types)).toEqual(['hash:ip', 'hash:net', 'hash:ip,port', 'list:set']);
    expect(kernel.sets.size).toBe(0);
  });

  it('writes nothing where it may not, and then does not know the types', async () => {
    const { found, launcher } = await look({ probeName: null });
    expect(found.types.map(({ support }) => support)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
    expect(launcher.restores).toBe(0);
  });

  it('names a type that the kernel lacks, and the module that would bring it', async () => {
    const kernel = new FakeKernel();
    kernel.faults.missingTypes.add('hash:ip,port');
    const { found } = await look({ kernel });
    expect(found.obstacles).toEqual([
      {
        code: 'type-unsupported',
        message: expect.stringContaining('hash:ip,port'),
        remedy: expect.stringContaining('ip_set_hash_ipport'),
      },
    ]);
    expect(supportedTypes(found.types)).toEqual(['hash:ip', 'hash:net', 'list:set']);
  });

  it('names a missing ipset and a missing permission, with what to do', async () => {
    const absent = await look({ missingTools: ['ipset'] });
    expect(absent.found.obstacles).toEqual([
      { code: 'no-ipset', message: expect.any(String), remedy: expect.stringContaining('Install') },
    ]);
    const kernel = new FakeKernel();
    kernel.faults.permission = true;
    const powerless = await look({ kernel });
    expect(powerless.found.obstacles.map(({ code }) => code)).toEqual(['no-permission']);
  });

  it('goes on without stdbuf', async () => {
    const { found } = await look({ missingTools: ['stdbuf'] });
    expect(found).toMatchObject({ stdbufPath: null, obstacles: [] });
  });
});
