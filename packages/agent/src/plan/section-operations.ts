import { AssertionError } from 'node:assert';
import type { Operation, SetHeader, SetName } from '@setkeeper/ipset';
import type { Section } from './plan.ts';

/** How many operations, and so lines, a section has. O(1). */
export function sectionLines(section: Section): number {
  switch (section.how) {
    case 'create':
      return (section.recreate === true ? 1 : 0) + 1 + section.adds.length;
    case 'delta':
      return 1 + section.dels.length + section.adds.length;
    case 'rewrite':
      return 1 + section.adds.length + (section.createMain ? 1 : 0) + 2;
    case 'destroy':
      return 1;
  }
}

/** A section's operations as runs of one command each, in order: `create` 1, `add` 1,000,000, `swap` 1, `destroy` 1. O(1). */
export function commandsOfSection(section: Section): readonly (readonly [Operation['op'], number])[] {
  const { adds, dels } = section;
  switch (section.how) {
    case 'create':
      return [...(section.recreate === true ? ([['destroy', 1]] as const) : []), ['create', 1], ['add', adds.length]];
    case 'delta':
      return [
        ['create', 1],
        ['del', dels.length],
        ['add', adds.length],
      ];
    case 'rewrite':
      return [
        ['create', 1],
        ['add', adds.length],
        ['create', section.createMain ? 1 : 0],
        ['swap', 1],
        ['destroy', 1],
      ];
    case 'destroy':
      return [['destroy', 1]];
  }
}

/** A section's operations in order. Lazy: a section of a million members makes them one by one. */
export function* operationsOfSection(section: Section): Generator<Operation, void, undefined> {
  const lines = sectionLines(section);
  for (let index = 0; index < lines; index++) yield operationOfSection(section, index);
}

/** The operation at an index (from 0) of a section, by arithmetic. Throws an assertion beyond its end. */
export function operationOfSection(section: Section, index: number): Operation {
  const { set } = section;
  switch (section.how) {
    case 'create': {
      const recreate = section.recreate === true ? 1 : 0;
      if (index < recreate) return { op: 'destroy', set };
      if (index === recreate) return { op: 'create', set, header: headerOf(section, set) };
      return member(section, 'add', set, index - recreate - 1);
    }
    case 'delta':
      if (index === 0) return { op: 'create', set, header: headerOf(section, set) };
      if (index <= section.dels.length) return member(section, 'del', set, index - 1);
      return member(section, 'add', set, index - 1 - section.dels.length);
    case 'rewrite': {
      const temp = tempOf(section);
      if (index === 0) return { op: 'create', set: temp, header: headerOf(section, temp) };
      if (index <= section.adds.length) return member(section, 'add', temp, index - 1);
      const rest = index - 1 - section.adds.length - (section.createMain ? 1 : 0);
      if (rest < 0) return { op: 'create', set, header: headerOf(section, set) };
      if (rest === 0) return { op: 'swap', from: temp, to: set };
      if (rest === 1) return { op: 'destroy', set: temp };
      return beyond(section, index);
    }
    case 'destroy':
      return index === 0 ? { op: 'destroy', set } : beyond(section, index);
  }
}

function member(section: Section, op: 'add' | 'del', set: SetName, index: number): Operation {
  const found = (op === 'add' ? section.adds : section.dels)[index];
  return found === undefined ? beyond(section, index) : { op, set, member: found };
}

function headerOf(section: Section, name: SetName): SetHeader {
  if (section.header === null) throw new AssertionError({ message: `the section of ${section.set} has no header` });
  return section.header.name === name ? section.header : { ...section.header, name };
}

function tempOf(section: Section): SetName {
  if (section.temp === null)
    throw new AssertionError({ message: `the rewrite of ${section.set} has no temporary set` });
  return section.temp;
}

function beyond(section: Section, index: number): never {
  throw new AssertionError({ message: `the section of ${section.set} has no operation ${index}` });
}
