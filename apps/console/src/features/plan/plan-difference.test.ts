import { describe, expect, it } from 'vitest';
import type { Plan, PlanSet } from '../../client/api-types.ts';
import { planDifference, planWeight } from './plan-difference.ts';

const set = (name: string, more: Partial<PlanSet> = {}): PlanSet => ({
  group: null,
  family: 'inet',
  name,
  how: 'delta',
  adds: 1,
  dels: 0,
  before: 1,
  after: 2,
  firstLine: 1,
  lines: 1,
  ...more,
});
const plan = (...sets: PlanSet[]): Plan => ({
  digest: 'd',
  lines: sets.length,
  script: '',
  scriptTruncated: false,
  sets,
  modelRevision: 1,
  at: '',
});

describe('planDifference', () => {
  it('tells sets that came, went and changed', () => {
    const difference = planDifference(
      plan(set('a'), set('b'), set('c')),
      plan(set('b'), set('c', { adds: 4 }), set('d')),
    );
    expect(difference.added.map((one) => one.name)).toEqual(['d']);
    expect(difference.gone.map((one) => one.name)).toEqual(['a']);
    expect(difference.changed.map((one) => [one.before.adds, one.after.adds])).toEqual([[1, 4]]);
  });
});

describe('planWeight', () => {
  it('counts what will be touched, not what is left out, and sees a destroy', () => {
    expect(planWeight(plan(set('a'), set('b', { blocked: 'held' }), set('c', { how: 'destroy' })))).toEqual({
      sets: 2,
      blocked: 1,
      destroys: true,
    });
    expect(planWeight(plan(set('a', { how: 'destroy', blocked: 'on-hold' })))).toEqual({
      sets: 0,
      blocked: 1,
      destroys: false,
    });
  });
});
