import { createFakeClock } from '@setkeeper/testkit';
import { expect, it } from 'vitest';
import { createProblemBoard } from './create-problem-board.ts';

const bench = () => {
  const clock = createFakeClock();
  const told: string[] = [];
  const board = createProblemBoard(clock, { emit: ({ type, subject }) => told.push(`${type} ${subject ?? ''}`) });
  const raise = (code: Parameters<typeof board.raise>[0]['code'], subject: string, message = 'm') =>
    board.raise({ code, subject, message, remedy: 'r' });
  return { clock, told, board, raise };
};

it('keeps since when a problem stands, however often it is raised', () => {
  const { clock, told, board, raise } = bench();
  raise('drift', 'tag:web');
  clock.advance(60_000);
  raise('drift', 'tag:web', 'more');
  expect(board.list()).toMatchObject([{ since: '2026-06-01T12:00:00.000Z', message: 'more' }]);
  expect(told).toEqual(['problem-raised tag:web', 'status-changed ']);
});

it('lists the worst first, then the oldest', () => {
  const { clock, board, raise } = bench();
  raise('leftovers', 'a');
  clock.advance(1);
  raise('set-failed', 'late');
  raise('source-fault', 'b');
  clock.advance(1);
  raise('set-failed', 'later');
  expect(board.list().map(({ subject }) => subject)).toEqual(['late', 'later', 'b', 'a']);
});

it('clears one, or all that nothing explains any more, and forgets their age', () => {
  const { clock, told, board, raise } = bench();
  raise('drift', 'a');
  raise('drift', 'b');
  board.clearExcept('drift', new Set(['b']));
  expect(board.list().map(({ subject }) => subject)).toEqual(['b']);
  board.clear('drift', 'b');
  board.clear('drift', 'b');
  expect(told.filter((event) => event.startsWith('problem-cleared'))).toEqual([
    'problem-cleared a',
    'problem-cleared b',
  ]);
  clock.advance(5_000);
  raise('drift', 'b');
  expect(board.list()).toMatchObject([{ since: '2026-06-01T12:00:05.000Z' }]);
});
