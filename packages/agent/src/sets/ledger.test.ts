import type { Family, GroupId, Member } from '@setkeeper/ipset';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMembership } from '../membership/create-membership.ts';
import type { Membership } from '../membership/membership.ts';
import { objectKey } from '../model/objects.ts';
import { Ledger } from './ledger.ts';
import { ledgerCounts } from './ledger-counts.ts';
import { NetworkElements } from './network-elements.ts';
import { refusalAfter } from './parking.ts';
import { PlainElements } from './plain-elements.ts';
import { selectDelta, selectWhole } from './select-change.ts';

const group = 'net:n' as GroupId;
const inet: Family = 'inet';
const m = (...texts: string[]) => texts as Member[];

/** A network whose members a test sets; gives the change to a ledger. */
class Wanted {
  readonly membership: Membership = createMembership();
  readonly elements = new NetworkElements(this.membership, group, inet);
  readonly ledger = new Ledger(this.elements);

  set(...members: string[]): void {
    const nets = members.filter((each) => !each.endsWith(' nomatch'));
    const except = members.filter((each) => each.endsWith(' nomatch'));
    const delta = this.membership.apply([
      {
        key: objectKey('network', 'n'),
        before: null,
        after: {
          kind: 'network',
          id: 'n',
          nets: { inet: m(...nets), inet6: [] },
          except: { inet: m(...except), inet6: [] },
          files: [],
        },
        origin: { source: 's' },
      },
    ]);
    for (const each of delta.groups) {
      if (each.family !== inet) continue;
      const { appeared, disappeared } = this.elements.change(each);
      this.ledger.desiredChanged(appeared, disappeared);
    }
  }

  /** The kernel has exactly what is desired now. */
  inSync(): this {
    this.ledger.becomeKnown(new Set(), new Set());
    return this;
  }

  counts(maxelem: number | null = null) {
    return ledgerCounts(this.ledger, this.elements, maxelem);
  }

  delta(maxelem: number | null = null, now = 0) {
    return selectDelta(this.ledger, this.elements, { maxelem, now });
  }
}

const refused = (op: 'add' | 'del', at = 0) =>
  refusalAfter(undefined, { op, code: 'full', message: 'Hash is full', run: 'r', at });

describe('ledger', () => {
  it('cancels an add that is taken back, and a removal that is taken back (N41 to N47, F42)', () => {
    const w = new Wanted();
    w.set('1.1.1.1', '2.2.2.2');
    w.inSync();
    w.set('1.1.1.1', '2.2.2.2', '4.4.4.4');
    w.set('1.1.1.1', '2.2.2.2');
    w.set('1.1.1.1');
    w.set('1.1.1.1', '2.2.2.2');
    expect(w.delta()).toEqual({ dels: [], adds: [] });
    w.set('2.2.2.2', '5.5.5.5');
    expect(w.delta()).toEqual({ dels: ['1.1.1.1'], adds: ['5.5.5.5'] });
    expect(w.counts()).toMatchObject({ programmed: 2, pendingAdds: 1, pendingDels: 1 });
  });

  it('turns a flag around by one add, and counts no removal (N26)', () => {
    const w = new Wanted();
    w.set('10.0.0.0/8');
    w.inSync().set('10.0.0.0/8 nomatch');
    expect(w.delta()).toEqual({ dels: [], adds: ['10.0.0.0/8 nomatch'] });
    expect(w.counts(1)).toMatchObject({ programmed: 1, pendingAdds: 1, pendingDels: 0, overCapacity: 0 });
    w.ledger.added(m('10.0.0.0/8 nomatch')[0] as Member);
    expect(w.delta()).toEqual({ dels: [], adds: [] });
    expect(w.counts()).toMatchObject({ programmed: 1, pendingAdds: 0 });
  });

  it('fills free places in ascending order and displaces nothing (invariant 9)', () => {
    const w = new Wanted();
    w.set('10.0.0.5', '10.0.0.6');
    w.inSync().set('10.0.0.10', '10.0.0.2', '10.0.0.1', '10.0.0.5', '10.0.0.6');
    expect(w.delta(3)).toEqual({ dels: [], adds: ['10.0.0.1'] });
    expect(w.counts(3)).toMatchObject({ pendingAdds: 1, overCapacity: 2 });
    w.set('10.0.0.10', '10.0.0.2', '10.0.0.1', '10.0.0.6');
    expect(w.delta(3)).toEqual({ dels: ['10.0.0.5'], adds: ['10.0.0.1', '10.0.0.2'] });
    expect(w.counts(3)).toMatchObject({ pendingAdds: 2, pendingDels: 1, overCapacity: 1 });
    expect(selectWhole(w.ledger, w.elements, 2)).toEqual(['10.0.0.1', '10.0.0.6']);
  });

  it('keeps what is withheld, and gives it back when it is wanted again', () => {
    const w = new Wanted();
    w.set('10.0.0.1', '10.0.0.2', '10.0.0.3');
    w.inSync().set('10.0.0.3');
    w.ledger.withhold(m('10.0.0.1'), 'h1');
    expect(w.delta()).toEqual({ dels: ['10.0.0.2'], adds: [] });
    expect(w.counts()).toMatchObject({ pendingDels: 2, withheld: 1 });
    expect(selectWhole(w.ledger, w.elements, null)).toEqual(['10.0.0.1', '10.0.0.3']);
    w.set('10.0.0.1', '10.0.0.3');
    expect(w.ledger.withheld.size).toBe(0);
    w.set('10.0.0.3');
    expect(w.delta().dels).toContain('10.0.0.1');
  });

  it('adds no exception that would take out what is withheld', () => {
    const w = new Wanted();
    w.set('10.0.0.0/8');
    w.inSync().set('10.0.0.0/8 nomatch');
    w.ledger.withhold(m('10.0.0.0/8'), 'h1');
    expect(w.delta()).toEqual({ dels: [], adds: [] });
    expect(selectWhole(w.ledger, w.elements, null)).toEqual(['10.0.0.0/8']);
  });

  it('leaves parked members out until their pause is over, and forgets them when they change', () => {
    const w = new Wanted();
    w.set('10.0.0.1');
    w.inSync().set('10.0.0.1', '10.0.0.2');
    w.ledger.parking.park(m('10.0.0.2')[0] as Member, refused('add'));
    expect(w.delta(null, 999).adds).toEqual([]);
    expect(w.counts()).toMatchObject({ pendingAdds: 0, parked: 1 });
    expect(w.delta(null, 1_000).adds).toEqual(['10.0.0.2']);
    w.set('10.0.0.1');
    expect(w.counts()).toMatchObject({ pendingAdds: 0, parked: 0 });
  });

  it('has nothing to say of an unknown set and everything to add to an absent one', () => {
    const w = new Wanted();
    w.set('10.0.0.1', '10.0.0.2');
    expect(w.counts()).toMatchObject({ programmed: null, pendingAdds: 0 });
    w.ledger.becomeAbsent();
    expect(w.counts(1)).toMatchObject({ programmed: 0, pendingAdds: 1, overCapacity: 1 });
  });

  it('is always what a plain set of elements is, whatever happens in whatever order', () => {
    const texts = ['10.0.0.0/8', '10.0.0.0/8 nomatch', '0.0.0.0/0', '0.0.0.0/1', '128.0.0.0/1 nomatch', '192.0.2.1'];
    const step = fc.oneof(
      fc.subarray(texts).map((wanted) => ({ kind: 'want' as const, wanted: uniqueKeys(wanted) })),
      fc.constant({ kind: 'run' as const }),
      fc.constant({ kind: 'partly' as const }),
      fc.constant({ kind: 'rewrite' as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const w = new Wanted();
        w.inSync();
        const kernel = new Map<string, Member>();
        const add = (element: Member): void => {
          kernel.set(element.replace(' nomatch', ''), element);
          w.ledger.added(element);
        };
        for (const each of steps) {
          if (each.kind === 'want') w.set(...each.wanted);
          else if (each.kind === 'rewrite') {
            kernel.clear();
            for (const element of selectWhole(w.ledger, w.elements, null))
              kernel.set(element.replace(' nomatch', ''), element);
            w.ledger.becomeKnown(new Set(), new Set());
          } else {
            const { dels, adds } = w.delta();
            for (const element of dels) {
              kernel.delete(element.replace(' nomatch', ''));
              w.ledger.deleted(element);
            }
            for (const element of each.kind === 'partly' ? adds.slice(1) : adds) add(element);
          }
          expect(w.ledger.programmed).toBe(kernel.size);
          for (const element of kernel.values()) expect(w.ledger.isProgrammed(element)).toBe(true);
          const { pendingAdds, pendingDels } = w.counts();
          const { adds, dels } = w.delta();
          expect([pendingAdds, pendingDels]).toEqual([adds.length, dels.length]);
        }
        const { dels, adds } = w.delta();
        for (const element of dels) kernel.delete(element.replace(' nomatch', ''));
        for (const element of adds) kernel.set(element.replace(' nomatch', ''), element);
        expect([...kernel.values()].sort()).toEqual([...w.elements.elements()].sort());
        expect(w.elements.count).toBe(kernel.size);
      }),
      { numRuns: 300 },
    );
  });

  it('holds no copy of a set that is right', () => {
    const membership = createMembership();
    const ledger = new Ledger(new PlainElements(membership, 'tag:t' as GroupId, inet));
    ledger.becomeKnown(new Set(), new Set());
    expect(ledger.content).toEqual({ kind: 'known', missing: new Set(), extra: new Set() });
    expect(ledger.programmed).toBe(0);
  });
});

/** One flag a network: the model knows no network that is both. */
function uniqueKeys(texts: readonly string[]): readonly string[] {
  const byKey = new Map(texts.map((text) => [text.replace(' nomatch', ''), text]));
  return [...byKey.values()];
}
