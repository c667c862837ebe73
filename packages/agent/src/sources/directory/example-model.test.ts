import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createMembership } from '../../membership/create-membership.ts';
import { validateDirectory } from './validate-directory.ts';

const path = fileURLToPath(new URL('../../../../../examples/model', import.meta.url));

describe('the example model', () => {
  it('is without fault or warning, and large enough to be worth looking at', async () => {
    const { ok, faults, warnings, objects } = await validateDirectory(path);
    expect({ ok, faults, warnings }).toEqual({ ok: true, faults: [], warnings: [] });
    const counts = Map.groupBy(objects, ({ object }) => object.kind);
    expect(counts.get('endpoint')?.length).toBeGreaterThanOrEqual(200);
    expect(counts.get('profile')?.length).toBeGreaterThanOrEqual(30);
    const networks = objects.map(({ object }) => object).filter((object) => object.kind === 'network');
    expect(networks.some(({ except }) => except.inet.length > 0 && except.inet6.length > 0)).toBe(true);
    expect(networks.some(({ files }) => files.length > 0)).toBe(true);
    expect(networks.some(({ nets }) => nets.inet.some((net) => net === '0.0.0.0/0'))).toBe(true);
    expect(counts.get('list')?.length).toBeGreaterThanOrEqual(1);
    expect(counts.get('host')?.length).toBeGreaterThanOrEqual(1);
  });

  it('references every one of its groups on every host, so that all of them are programmed', async () => {
    const { objects } = await validateDirectory(path);
    const membership = createMembership({ host: 'a-host-that-nobody-names' });
    const { references } = membership.apply(
      objects.map(({ key, object, origin }) => ({ key, before: null, after: object, origin })),
    );
    const named = new Set([...references.values()].flatMap((groups) => groups ?? []));
    expect([...membership.groups()].filter((group) => !named.has(group))).toEqual([]);
    expect([...named].filter((group) => !membership.isDefined(group))).toEqual([]);
    expect([...membership.groups()].length).toBeGreaterThan(100);
  });
});
