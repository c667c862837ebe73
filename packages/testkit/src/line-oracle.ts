import { AssertionError } from 'node:assert';
import {
  classifyFailure,
  isWritableSetName,
  type Operation,
  parseCidr,
  parseIp,
  renderOperation,
  type SetName,
} from '@setkeeper/ipset';
import type { SectionSketch } from './random-plan.ts';

/** What must become of a line that is not applied. Lines count from 1. */
export interface OracleException {
  readonly line: number;
  readonly outcome: 'rejected' | 'skipped';
  readonly because?: number;
}

/** A kernel where each line is a process of its own, so that nothing is buffered, believed or lost. */
export interface LineRunner {
  run(line: string): Promise<{ readonly exitCode: number | null; readonly stderr: string }>;
  /** Family of a set; undefined: no such set. */
  family(set: SetName): Promise<'inet' | 'inet6' | null | undefined>;
}

/**
 * Runs a plan one process a line and says what must become of each line: too slow for use, and too simple to be wrong.
 * The rules beside the kernel's word: a rejected create (or the destroy of a recreate) skips the rest of its section, a
 * rejected create of main skips the swap, a create that meets another family is rejected, and a swap whose main somebody
 * destroyed is mended, and a del of what is absent counts as applied. `beforeLine` can look at the kernel in between.
 */
export async function lineOracle(
  sections: readonly SectionSketch[],
  runner: LineRunner,
  beforeLine?: (line: number, soFar: readonly OracleException[]) => Promise<void>,
): Promise<readonly OracleException[]> {
  const exceptions: OracleException[] = [];
  let line = 0;
  for (const section of sections) {
    let skipRest: number | null = null;
    let skipSwap: number | null = null;
    for (const { operation, role } of steps(section)) {
      line++;
      await beforeLine?.(line, exceptions);
      const because: number | null = skipRest ?? (role === 'swap' ? skipSwap : null);
      if (because !== null) {
        exceptions.push({ line, outcome: 'skipped', because });
        continue;
      }
      if (await isApplied(section, operation, role, runner)) continue;
      exceptions.push({ line, outcome: 'rejected' });
      if (role === 'create' || role === 'recreate') skipRest = line;
      if (role === 'create-main') skipSwap = line;
    }
  }
  return exceptions;
}

type Role = 'recreate' | 'create' | 'create-main' | 'member' | 'swap' | 'destroy';

function* steps(section: SectionSketch): Generator<{ readonly operation: Operation; readonly role: Role }> {
  const { set, header, temp, how } = section;
  if (how === 'destroy' || header === null) {
    yield { operation: { op: 'destroy', set }, role: 'destroy' };
  } else if (how === 'rewrite' && temp !== null) {
    yield { operation: { op: 'create', set: temp, header }, role: 'create' };
    for (const member of section.adds) yield { operation: { op: 'add', set: temp, member }, role: 'member' };
    if (section.createMain) yield { operation: { op: 'create', set, header }, role: 'create-main' };
    yield { operation: { op: 'swap', from: temp, to: set }, role: 'swap' };
    yield { operation: { op: 'destroy', set: temp }, role: 'destroy' };
  } else {
    if (section.recreate === true) yield { operation: { op: 'destroy', set }, role: 'recreate' };
    yield { operation: { op: 'create', set, header }, role: 'create' };
    for (const member of section.dels) yield { operation: { op: 'del', set, member }, role: 'member' };
    for (const member of section.adds) yield { operation: { op: 'add', set, member }, role: 'member' };
  }
}

async function isApplied(
  section: SectionSketch,
  operation: Operation,
  role: Role,
  runner: LineRunner,
): Promise<boolean> {
  const text = rendered(section, operation);
  if (text === null) return false;
  const end = await runner.run(text);
  if (role === 'swap' && end.exitCode !== 0 && section.header !== null) {
    if (classifyFailure({ exitCode: end.exitCode, signal: null, stderr: end.stderr }).code !== 'swap-missing')
      return false;
    await runner.run(renderOperation({ op: 'create', set: section.set, header: section.header }));
    return (await runner.run(text)).exitCode === 0;
  }
  if (end.exitCode !== 0) {
    // A set that does not exist is in no list: a del of something absent counts as applied.
    const { code } = classifyFailure({ exitCode: end.exitCode, signal: null, stderr: end.stderr });
    return operation.op === 'del' && code === 'list-member';
  }
  const isMain = role === 'create' && section.how !== 'rewrite';
  if (!isMain || section.header?.family === null) return true;
  return (await runner.family(section.set)) === section.header?.family;
}

function rendered({ header }: SectionSketch, operation: Operation): string | null {
  try {
    const text = renderOperation(operation);
    if (operation.op !== 'add' && operation.op !== 'del') return text;
    return header?.type !== 'list:set' && isHostName(operation.member) ? null : text;
  } catch (error) {
    if (error instanceof AssertionError) return null;
    throw error;
  }
}

const isHostName = (member: string): boolean =>
  isWritableSetName(member) && parseIp(member) === undefined && parseCidr(member) === undefined;
