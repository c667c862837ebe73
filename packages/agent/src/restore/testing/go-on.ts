import {
  headerDifferences,
  type Member,
  memberFromKernel,
  memberKey,
  ownershipOf,
  type SetHeader,
  type SetName,
} from '@setkeeper/ipset';
import type { OracleException, SectionSketch } from '@setkeeper/testkit';
import type { KernelReader } from '../../kernel/kernel-reader.ts';
import type { Section } from '../../plan/plan.ts';
import { operationOfSection, sectionLines } from '../../plan/section-operations.ts';

/** A line of a section that was rejected, in words that do not depend on what else is in the section. */
export type RejectedWords = ReadonlySet<string>;

/**
 * What an agent does with a section whose run broke off: it reads the set back and sends what is missing; a set that is
 * to be rewritten is rewritten under a new temporary name. Members that were refused are asked again with it.
 */
export async function sectionToGoOn(section: SectionSketch, reader: KernelReader, unique: string): Promise<Section> {
  if (section.how === 'destroy' || section.header === null) return section;
  if (section.how === 'rewrite') return { ...section, temp: `sk-tmp-${unique}` as SetName };
  const reading = await reader.header(section.set);
  if (!reading.ok) {
    if (reading.fault.code !== 'set-missing') throw new Error(`${section.set}: ${reading.fault.message}`);
    return section.recreate === true ? { ...section, recreate: false } : section;
  }
  const { header } = reading.value;
  if (headerDifferences(section.header, header).length > 0) return section;
  const seen = await membersOf(section.set, header, reader);
  const adds = section.adds.filter((member) => !seen.has(member));
  if (section.how === 'delta') return { ...section, adds };
  const wanted = new Set(section.adds.map(memberKey));
  const extra = section.recreate === true ? [...seen].filter((member) => !wanted.has(memberKey(member))) : [];
  return { ...section, how: 'delta', recreate: false, dels: extra, adds };
}

/** Destroys of the temporary and acknowledgement sets that a dead agent left: they are first in the next run. */
export function sweepOf(names: readonly string[]): readonly Section[] {
  const isOurs = (name: string): boolean => {
    const { ownership } = ownershipOf(name, { prefix: 'sk-', formerPrefixes: [] });
    return ownership === 'temporary' || ownership === 'acknowledgement';
  };
  return names.filter(isOurs).map((name) => ({
    ...{ group: null, family: null, set: name as SetName, how: 'destroy', header: null, temp: null },
    ...{ createMain: false, dels: [], adds: [], before: 0, after: 0 },
  }));
}

/** The rejected lines of each section, by its index. */
export function rejectedBySection(
  sections: readonly Section[],
  exceptions: readonly Pick<OracleException, 'line'>[],
): readonly RejectedWords[] {
  let next = 1;
  return sections.map((section) => {
    const first = next;
    next += sectionLines(section);
    const words = exceptions
      .filter(({ line }) => line >= first && line < next)
      .map(({ line }) => wordsOf(section, line - first));
    return new Set(words);
  });
}

function wordsOf(section: Section, index: number): string {
  const operation = operationOfSection(section, index);
  if (operation.op === 'add' || operation.op === 'del') return `${operation.op} ${operation.member}`;
  // The create of a set is the same line whether something is destroyed before it or not.
  return operation.op;
}

async function membersOf(set: SetName, header: SetHeader, reader: KernelReader): Promise<ReadonlySet<Member>> {
  const seen = new Set<Member>();
  const reading = await reader.members(set, {
    onSet: () => undefined,
    onMember: (_set, element, options) =>
      void seen.add(memberFromKernel(header.type, header.family, element, options?.nomatch ?? false)),
    onAnomaly: () => undefined,
  });
  if (!reading.ok) throw new Error(`${set}: ${reading.fault.message}`);
  return seen;
}
