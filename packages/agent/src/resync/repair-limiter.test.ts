import { parseGroupId } from '@setkeeper/ipset';
import { createFakeClock } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { ProblemBoard } from '../problems/problem-board.ts';
import { setKey } from '../sets/set-key.ts';
import { RepairLimiter } from './repair-limiter.ts';

function world() {
  const clock = createFakeClock();
  const standing = new Set<string>();
  const problems: ProblemBoard = {
    raise: ({ code, subject }) => void standing.add(`${code} ${subject}`),
    clear: (code, subject) => void standing.delete(`${code} ${subject}`),
    clearExcept: () => {},
    list: () => [],
  };
  let quiet = 0;
  const limiter = new RepairLimiter(clock, problems, () => {
    quiet += 1;
  });
  const group = parseGroupId('tag:web');
  if (!group.ok) throw new Error(group.reason);
  const key = setKey(group.id, 'inet');
  const repair = () => limiter.repaired({ key, title: 'tag:web (inet)', name: 'sk-v4-t.web' });
  return { clock, standing, limiter, key, repair, quiets: () => quiet };
}

describe('RepairLimiter', () => {
  it('lets ten repairs in five minutes pass', () => {
    const { clock, limiter, key, repair, standing } = world();
    for (let i = 0; i < 10; i += 1) {
      expect(limiter.pausedUntil(key)).toBeNull();
      repair();
      clock.advance(10_000);
    }
    expect(limiter.pausedUntil(key)).toBeNull();
    expect(standing.size).toBe(0);
  });

  it('repairs at most once a minute from the eleventh on, and says so', () => {
    const { clock, limiter, key, repair, standing } = world();
    for (let i = 0; i < 11; i += 1) repair();
    expect(standing).toEqual(new Set(['drift-fight tag:web (inet)']));
    expect(limiter.pausedUntil(key)).toBe(clock.now() + 60_000);
    clock.advance(60_000);
    expect(limiter.pausedUntil(key)).toBe(clock.now());
    repair();
    expect(limiter.pausedUntil(key)).toBe(clock.now() + 60_000);
  });

  it('ends when five minutes were quiet, and not before', () => {
    const { clock, limiter, key, repair, standing, quiets } = world();
    for (let i = 0; i < 11; i += 1) repair();
    clock.advance(299_000);
    repair();
    clock.advance(299_999);
    expect(limiter.pausedUntil(key)).not.toBeNull();
    clock.advance(1);
    expect(limiter.pausedUntil(key)).toBeNull();
    expect(standing.size).toBe(0);
    expect(quiets()).toBe(1);
  });

  it('takes slow interference for no fight', () => {
    const { clock, limiter, key, repair } = world();
    for (let i = 0; i < 30; i += 1) {
      repair();
      clock.advance(31_000);
    }
    expect(limiter.pausedUntil(key)).toBeNull();
  });
});
