import { createFakeClock, listedSets } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { kernelHandlers } from './kernel.ts';

const call = {
  caller: { subject: 'a', name: 'a', role: 'viewer', via: 'gateway' },
  requestId: 'r',
  signal: undefined,
} as const;

describe('kernel.list', () => {
  it('lets others have their turn between the rows of a host with many sets, and shows all of them in order', async () => {
    const clock = createFakeClock();
    const names = Array.from({ length: 12 }, (_, i) => `other-${i}`);
    const headers = { at: 0, sets: listedSets(...names.map((name) => ({ name }))), unreadable: [] };
    let judged = 0;
    const handlers = kernelHandlers({
      observer: { readHeaders: () => Promise.resolve(headers), holders: null },
      clock,
      rules: () => ({
        prefix: 'sk-',
        formerPrefixes: [],
        managedGroup: () => {
          judged++;
          clock.advance(2);
          return undefined;
        },
        isInternal: () => false,
      }),
    });
    const seen: number[] = [];
    const look = (): void => {
      seen.push(judged);
      if (judged < names.length) setImmediate(look);
    };
    setImmediate(look);
    const rows = await handlers['kernel.list']({}, call);
    expect(rows.map(({ name }) => name)).toEqual(names);
    expect(seen.filter((count) => count > 0 && count < names.length).length).toBeGreaterThan(1);
  });
});
