import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expandMembers, foldElements, kernelElements } from './kernel-elements.ts';
import type { Member } from './member.ts';

const members = (...texts: string[]) => texts as Member[];

it('makes two halves of a /0, with its flag, and leaves the rest alone', () => {
  expect(kernelElements('0.0.0.0/0' as Member)).toEqual(['0.0.0.0/1', '128.0.0.0/1']);
  expect(kernelElements('::/0 nomatch' as Member)).toEqual(['::/1 nomatch', '8000::/1 nomatch']);
  expect(kernelElements('10.0.0.0/8' as Member)).toEqual(['10.0.0.0/8']);
});

it('lets a half that is wanted in its own right win over the half of a /0', () => {
  expect(expandMembers(members('0.0.0.0/0', '0.0.0.0/1 nomatch', '10.0.0.0/8')).sort()).toEqual(
    members('0.0.0.0/1 nomatch', '10.0.0.0/8', '128.0.0.0/1'),
  );
});

it('keeps a half that stays wanted when the /0 goes, if the delta is taken between elements', () => {
  const before = expandMembers(members('0.0.0.0/0', '0.0.0.0/1'));
  const after = new Set(expandMembers(members('0.0.0.0/1')));
  expect(before.filter((element) => !after.has(element))).toEqual(['128.0.0.0/1']);
});

it('folds two halves with one flag into one member, and nothing else', () => {
  expect(foldElements(members('10.0.0.0/8', '128.0.0.0/1', '0.0.0.0/1'))).toEqual(members('10.0.0.0/8', '0.0.0.0/0'));
  expect(foldElements(members('::/1 nomatch', '8000::/1 nomatch'))).toEqual(members('::/0 nomatch'));
  expect(foldElements(members('0.0.0.0/1', '128.0.0.0/1 nomatch'))).toEqual(
    members('0.0.0.0/1', '128.0.0.0/1 nomatch'),
  );
  expect(foldElements(members('0.0.0.0/1', '8000::/1'))).toEqual(members('0.0.0.0/1', '8000::/1'));
});

it('folding what was expanded gives the same members back, unless a half stood beside its whole', () => {
  const some = fc.subarray(members('0.0.0.0/0', '::/0 nomatch', '10.0.0.0/8', '2001:db8::/32 nomatch', '192.0.2.1'));
  fc.assert(
    fc.property(some, (wanted) => {
      expect(foldElements(expandMembers(wanted)).sort()).toEqual([...wanted].sort());
    }),
  );
});
