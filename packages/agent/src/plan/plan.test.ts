import { createHash } from 'node:crypto';
import { desiredHeader, type Member, type Operation, renderOperation, type SetName } from '@setkeeper/ipset';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePlan } from './make-plan.ts';
import type { Section } from './plan.ts';
import { operationsOf, PlanIndex, renderPlan } from './plan-lines.ts';
import { EVERYTHING, type PlanScope } from './plan-scope.ts';
import { sectionLines } from './section-operations.ts';

const name = (text: string) => text as SetName;
const members = (...texts: string[]) => texts as Member[];
const header = (set: string, type: 'hash:ip' | 'list:set' = 'hash:ip') =>
  desiredHeader({ name: name(set), type, family: type === 'list:set' ? null : 'inet', maxelem: 1024, members: 2 });
const section = (set: string, how: Section['how'], more: Partial<Section> = {}): Section => ({
  group: null,
  family: 'inet',
  set: name(set),
  how,
  header: how === 'destroy' ? null : header(set),
  temp: null,
  createMain: false,
  dels: [],
  adds: [],
  before: 0,
  after: 0,
  ...more,
});
const lists = new Set(['l1', 'l2']);
const plan = (sections: readonly Section[], scope: PlanScope = EVERYTHING, modelRevision = 1) =>
  makePlan({ sections, modelRevision, scope, render: renderOperation, isList: ({ set }) => lists.has(set) });
const script = (sections: readonly Section[]) => [...renderPlan(plan(sections), renderOperation)];

describe('plan', () => {
  it('sends dels before adds, each set once, primed by its create', () => {
    const adds = members('10.0.0.1', '10.0.0.2');
    expect(script([section('a', 'delta', { dels: members('10.0.0.9'), adds })])).toEqual([
      'create a hash:ip family inet hashsize 64 maxelem 1024',
      'del a 10.0.0.9',
      'add a 10.0.0.1',
      'add a 10.0.0.2',
    ]);
  });

  it('rewrites by temporary set and swap, and never flushes', () => {
    const rewrite = section('a', 'rewrite', { temp: name('tmp-1'), createMain: true, adds: members('10.0.0.1') });
    expect(script([rewrite])).toEqual([
      'create tmp-1 hash:ip family inet hashsize 64 maxelem 1024',
      'add tmp-1 10.0.0.1',
      'create a hash:ip family inet hashsize 64 maxelem 1024',
      'swap tmp-1 a',
      'destroy tmp-1',
    ]);
  });

  it('destroys and creates a set of another type in one section', () => {
    expect(script([section('a', 'create', { recreate: true, adds: members('10.0.0.1') })])).toEqual([
      'destroy a',
      'create a hash:ip family inet hashsize 64 maxelem 1024',
      'add a 10.0.0.1',
    ]);
  });

  it('puts hash sets before lists, and destroys last with lists before their members', () => {
    const order = plan([
      section('d2', 'destroy'),
      section('l1', 'destroy'),
      section('d1', 'destroy'),
      section('l2', 'create', { header: header('l2', 'list:set') }),
      section('b', 'delta'),
      section('a', 'create'),
    ]).sections.map(({ set }) => set);
    expect(order).toEqual(['a', 'b', 'l2', 'l1', 'd2', 'd1']);
  });

  it('has one digest for one question, whatever temporary names were drawn', () => {
    const rewrite = (temp: string) => [section('a', 'rewrite', { temp: name(temp), adds: members('10.0.0.1') })];
    expect(plan(rewrite('tmp-1')).digest).toBe(plan(rewrite('tmp-2')).digest);
    expect(plan(rewrite('tmp-1')).digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has another digest for another line, scope or model revision', () => {
    const sections = [section('a', 'delta', { adds: members('10.0.0.1') })];
    const other = [section('a', 'delta', { adds: members('10.0.0.2') })];
    const digests = [
      plan(sections),
      plan(other),
      plan(sections, EVERYTHING, 2),
      plan(sections, { ...EVERYTHING, reprogram: true }),
      plan(sections, { ...EVERYTHING, groups: ['tag:web' as never] }),
    ].map(({ digest }) => digest);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('makes its digest of the scope, the revision and the lines with stand-ins for temporary names', () => {
    const rewrite = section('a', 'rewrite', { temp: name('tmp-x7'), adds: members('10.0.0.1') });
    const text = [
      '[[],false,null,""]',
      '1',
      'create tmp.1 hash:ip family inet hashsize 64 maxelem 1024',
      'add tmp.1 10.0.0.1',
      'swap tmp.1 a',
      'destroy tmp.1',
      '',
    ].join('\n');
    expect(plan([rewrite]).digest).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('finds each line by its number exactly as it is in the script', () => {
    const how = fc.constantFrom<Section['how']>('create', 'delta', 'rewrite', 'destroy');
    const anySection = fc
      .record({ how, adds: fc.nat(4), dels: fc.nat(3), createMain: fc.boolean(), recreate: fc.boolean() })
      .map(
        ({ how, adds, dels, createMain, recreate }) =>
          (set: string) =>
            section(set, how, {
              adds: Array.from({ length: adds }, (_, i) => `10.0.0.${i + 1}` as Member),
              dels: Array.from({ length: dels }, (_, i) => `10.0.1.${i + 1}` as Member),
              temp: name('tmp-1'),
              createMain,
              recreate,
            }),
      );
    fc.assert(
      fc.property(fc.array(anySection, { maxLength: 8 }), (makers) => {
        const made = plan(makers.map((make, i) => make(`s${i}`)));
        const all: Operation[] = [...operationsOf(made)];
        const index = new PlanIndex(made);
        expect(made.lines).toBe(all.length);
        expect([...index.from(1)].map(({ operation }) => operation)).toEqual(all);
        expect(index.at(0)).toBeUndefined();
        expect(index.at(made.lines + 1)).toBeUndefined();
        for (const [i, each] of made.sections.entries()) {
          expect(index.at(index.firstLine(i))?.section).toBe(each);
          expect(index.at(index.firstLine(i) + sectionLines(each) - 1)?.sectionIndex).toBe(i);
        }
      }),
    );
  });
});
