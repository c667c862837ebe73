import { describe, expect, it } from 'vitest';
import { AgentConfig, type GuardConfig } from '../config/agent-config.ts';
import { type JudgedChange, judge, type SetLoss } from './judge.ts';

const guard = AgentConfig.parse({}).guard;
const loss = (removes: number, of: number, more: Partial<SetLoss> = {}): SetLoss => ({
  title: 'tag:web (inet)',
  removes,
  of,
  isEmptied: removes === of,
  isUsed: false,
  isDefined: true,
  vanishes: false,
  ...more,
});
const why = (change: Partial<JudgedChange>, config: GuardConfig = guard) =>
  judge(config, { sets: [], sources: [], strict: null, ...change });

describe('judge', () => {
  it.each([
    [49, 100, false],
    [50, 100, true],
    [50, 166, true],
    [50, 167, false],
    [299, 1_000, false],
    [300, 1_000, true],
    [9_999, 10_000, true],
    [49, 49, false],
  ])('a set that loses %i of %i members: held %s', (removes, of, isHeld) => {
    expect(why({ sets: [loss(removes, of)] }).length > 0).toBe(isHeld);
  });

  it('holds the emptying of a used set, however small, and not that of an unused one', () => {
    expect(why({ sets: [loss(3, 3, { isUsed: true })] })).toEqual([
      'tag:web (inet) is used and would be emptied of its 3 members',
    ]);
    expect(why({ sets: [loss(3, 3)] })).toEqual([]);
    expect(why({ sets: [loss(2, 3, { isUsed: true })] })).toEqual([]);
  });

  it('never lets a used set be emptied whose group is not defined, even when it is off (invariant 3)', () => {
    const undefinedGroup = loss(3, 3, { isUsed: true, isDefined: false });
    expect(why({ sets: [undefinedGroup] }, 'off')).toEqual([
      'tag:web (inet) is used, and its group is no longer defined',
    ]);
    expect(why({ sets: [loss(9_999, 10_000)] }, 'off')).toEqual([]);
  });

  it('holds when five sets vanish at once', () => {
    const vanishing = (count: number) => Array.from({ length: count }, () => loss(1, 1, { vanishes: true }));
    expect(why({ sets: vanishing(4) })).toEqual([]);
    expect(why({ sets: vanishing(5) })).toEqual(['5 managed sets vanish at once']);
  });

  it.each([
    [1, 1, true],
    [19, 20, false],
    [20, 40, true],
    [20, 41, false],
    [100, 200, true],
    [99, 200, false],
  ])('a source that loses %i of %i objects: held %s', (removes, of, isHeld) => {
    const sources = [{ name: 'model.d', removes, of }];
    expect(why({ sets: [loss(1, 100)], sources }).length > 0).toBe(isHeld);
    expect(why({ sets: [], sources })).toEqual([]);
  });

  it('lets no removal through while it is told to be strict', () => {
    expect(why({ sets: [loss(1, 100)], strict: 'the store was set aside' }, 'off')).toEqual([
      'the store was set aside',
    ]);
    expect(why({ sets: [], strict: 'the store was set aside' })).toEqual([]);
  });

  it('counts as configured', () => {
    const config: GuardConfig = {
      removedPercent: 10,
      removedMin: 5,
      emptied: false,
      setsMin: 1,
      sourcePercent: 1,
      sourceMin: 1,
    };
    expect(why({ sets: [loss(5, 50)] }, config)).toHaveLength(1);
    expect(why({ sets: [loss(4, 4, { isUsed: true })] }, config)).toEqual([]);
    expect(why({ sets: [loss(0, 0, { vanishes: true })] }, config)).toEqual(['1 managed sets vanish at once']);
  });
});
