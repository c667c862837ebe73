import { describe, expect, it } from 'vitest';
import { address, EngineWorld, endpoint, profile, references } from '../engine/testing/engine-world.ts';
import { useOf } from '../engine/views/set-row.ts';
import { type SetTotals, setTotals } from './set-totals.ts';

const totalsOf = (world: EngineWorld): SetTotals =>
  setTotals(world.engine.state.registry.all(), { useOf, isOnHold: () => false });
const endpoints = (count: number) =>
  Array.from({ length: count }, (_, i) => endpoint(`e${i}`, ['p'], [address(i + 1)]));

describe('the sets in numbers', () => {
  it('count every set once on every axis, those that nobody wants apart from the rest', async () => {
    const world = new EngineWorld({});
    await world.apply(profile('p', 'web', 'db'), ...endpoints(3), references('policy/a', 'tag:web'));
    const totals = totalsOf(world);
    expect(totals).toMatchObject({ total: 4, wanted: 2, live: 2, inSync: 2, wrong: 0, members: { inet: 3, inet6: 0 } });
    for (const axis of ['phase', 'result', 'use'])
      expect(
        [...(totals.axes.get(axis)?.values() ?? [])].reduce((sum, count) => sum + count, 0),
        axis,
      ).toBe(4);
    expect(Object.fromEntries(totals.axes.get('phase') ?? [])).toEqual({
      waiting: 2,
      starting: 0,
      live: 2,
      stopping: 0,
    });
    expect(Object.fromEntries(totals.axes.get('sync') ?? [])).toEqual({
      unknown: 0,
      drifted: 0,
      dirty: 0,
      'in-sync': 2,
    });
  });

  it('tell a set that has no room from one that is only on its way', async () => {
    const world = new EngineWorld({ config: { sets: { families: ['inet'], maxelem: 2 } } });
    world.change([profile('p', 'web'), ...endpoints(5)]);
    await world.settle();
    expect(totalsOf(world)).toMatchObject({
      wanted: 1,
      dirty: 1,
      failed: 1,
      wrong: 1,
      pendingOnly: 0,
      overCapacity: 3,
    });
  });
});
