import type { GroupId } from '@setkeeper/ipset';
import { createFakeClock } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { createProblemBoard } from '../problems/create-problem-board.ts';
import { memoryFacts } from '../timed/memory-facts.ts';
import { HoldBook } from './hold-book.ts';

const web = 'tag:web' as GroupId;
const db = 'tag:db' as GroupId;

function world(facts = memoryFacts(), clock = createFakeClock()) {
  const events = { emit: () => {} };
  const problems = createProblemBoard(clock, events);
  const changes: string[] = [];
  const book = new HoldBook({
    facts,
    clock,
    problems,
    events,
    onChange: () => changes.push('change'),
    onEnded: (what) => changes.push(...what),
  });
  book.start();
  return { book, clock, facts, problems, changes };
}
const hour = { by: 'maria', reason: 'migration', forSeconds: 3600 };

describe('HoldBook', () => {
  it('stops one group and no other', () => {
    const { book } = world();
    book.add([web], hour);
    expect([book.isOnHold(web), book.isOnHold(db)]).toEqual([true, false]);
  });

  it('stops every group with a hold on all', () => {
    const { book } = world();
    book.add([], hour);
    expect([book.isOnHold(web), book.list()[0]?.group]).toEqual([true, null]);
  });

  it('ends by itself, says so, and clears its problem', () => {
    const { book, clock, problems, changes } = world();
    book.add([web], hour);
    expect(problems.list().map(({ code, subject }) => [code, subject])).toEqual([['on-hold', 'tag:web']]);
    clock.advance(3_599_999);
    expect(book.isOnHold(web)).toBe(true);
    clock.advance(1);
    expect(book.isOnHold(web)).toBe(false);
    expect(changes).toEqual(['change', 'change', 'tag:web']);
    expect(problems.list()).toEqual([]);
  });

  it('survives a restart, and ends what ended while nobody ran', () => {
    const first = world();
    first.book.add([web], hour);
    first.book.add([db], { ...hour, forSeconds: 60 });
    first.book.stop();
    first.clock.advance(120_000);
    const second = world(first.facts, first.clock);
    expect([second.book.isOnHold(web), second.book.isOnHold(db)]).toEqual([true, false]);
    expect(second.problems.list().map(({ subject }) => subject)).toEqual(['tag:web']);
  });

  it('ends every hold when none is named, and says which named one was none', () => {
    const { book } = world();
    book.add([web, db], hour);
    expect(book.remove([web, 'tag:x' as GroupId])).toEqual(['tag:x']);
    book.add([], hour);
    expect(book.remove([])).toEqual([]);
    expect(book.list()).toEqual([]);
  });

  it('ends although the wall clock jumped over its end', () => {
    const { book, clock } = world();
    book.add([web], hour);
    clock.jumpTo(clock.now() + 7_200_000);
    clock.advance(60_000);
    expect(book.isOnHold(web)).toBe(false);
  });
});
