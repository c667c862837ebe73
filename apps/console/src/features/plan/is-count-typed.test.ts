import { expect, it } from 'vitest';
import { isCountTyped } from './is-count-typed.ts';

it.each(['9310', '9,310', ' 9 310 '])('takes %j for 9,310', (typed) => {
  expect(isCountTyped(typed, 9_310)).toBe(true);
});

it.each(['', '931', '93100', '9310 members', '-9310', '0x245e'])('does not take %j for 9,310', (typed) => {
  expect(isCountTyped(typed, 9_310)).toBe(false);
});

it('takes nothing typed for no number, not even for none', () => {
  expect(isCountTyped('', 0)).toBe(false);
});
