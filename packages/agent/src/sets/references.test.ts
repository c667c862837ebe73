import type { GroupId } from '@setkeeper/ipset';
import { describe, expect, it } from 'vitest';
import { backOffMs, Parking, refusalAfter } from './parking.ts';
import { References } from './references.ts';

const g = (text: string) => text as GroupId;

describe('references', () => {
  it('names who needs a group, and since when', () => {
    const references = new References();
    expect(references.set('policy/b', [g('tag:web')], 10)).toEqual(['tag:web']);
    expect(references.set('policy/a', [g('tag:web'), g('net:corp')], 20)).toEqual(['tag:web', 'net:corp']);
    expect(references.of(g('tag:web'))).toEqual([
      { referrer: 'policy/a', since: 20 },
      { referrer: 'policy/b', since: 10 },
    ]);
    expect(references.set('policy/a', [g('tag:web')], 30)).toEqual(['net:corp']);
    expect(references.of(g('tag:web'))[0]).toEqual({ referrer: 'policy/a', since: 20 });
    expect(references.isReferenced(g('net:corp'))).toBe(false);
  });

  it('counts a referrer once, however often it says the same (F43, N55)', () => {
    const references = new References();
    references.set('policy/a', [g('tag:web'), g('tag:web')], 1);
    expect(references.set('policy/a', [g('tag:web')], 2)).toEqual([]);
    expect(references.set('policy/a', [], 3)).toEqual(['tag:web']);
    expect(references.set('policy/a', [], 4)).toEqual([]);
    expect([...references.groups()]).toEqual([]);
    expect([...references.referrers()]).toEqual([]);
  });
});

describe('parking', () => {
  it('pauses 1 s, 2 s, 4 s ... and at most five minutes', () => {
    expect([1, 2, 3, 9, 10, 100].map(backOffMs)).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
  });

  it('counts attempts of one operation, from the first', () => {
    const first = refusalAfter(undefined, { op: 'add', code: 'full', message: 'm', run: 'r1', at: 100 });
    const second = refusalAfter(first, { op: 'add', code: 'busy', message: 'n', run: 'r2', at: 2_000 });
    expect(second).toMatchObject({ since: 100, attempts: 2, retryAt: 4_000, code: 'busy', run: 'r2' });
    expect(refusalAfter(second, { op: 'del', code: 'busy', message: 'n', run: 'r3', at: 5_000 })).toMatchObject({
      since: 5_000,
      attempts: 1,
    });
  });

  it('ends the pauses of those that are named early', () => {
    const parking = new Parking();
    const refused = refusalAfter(undefined, { op: 'add', code: 'full', message: 'm', run: 'r', at: 0 });
    for (const member of ['a', 'b']) parking.park(member as never, refused);
    expect(parking.isDue('a' as never, 500)).toBe(false);
    expect(parking.nextRetryAt()).toBe(1_000);
    parking.hasten(500, (member) => member === ('a' as never));
    expect(parking.isDue('a' as never, 500)).toBe(true);
    expect(parking.isDue('b' as never, 500)).toBe(false);
  });
});
