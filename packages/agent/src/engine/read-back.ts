import type { ReadFault } from '../kernel/kernel-reader.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { readContents, type SetContent } from './content-reader.ts';
import { recordDrift } from './drift-record.ts';
import type { EngineState, HeaderReading } from './engine-state.ts';
import { confirmed, type Difference, foreignDifference, isNone } from './foreign-difference.ts';
import { pruneHeld } from './held-rules.ts';
import { fitsHeader } from './kernel-headers.ts';
import { wakeLists } from './wake-lists.ts';

/** After so many readings that failed, a set that cannot be read is written anew. */
const ATTEMPTS_MAX = 2;

/** Faults that are not the set's: it is asked again later, and nothing is written meanwhile. */
const ENVIRONMENT: ReadonlySet<ReadFault['code']> = new Set(['permission', 'spawn-failed', 'empty-while-names']);

/** What a read-back found, in words, by set name: part of a run's record. */
export type ReadBackFindings = ReadonlyMap<string, string>;

/**
 * Reads sets back and replaces their ledgers by what is there. A set that the kernel does not have is absent; one of
 * another type is made anew or in conflict; one that cannot be read stays unknown with the cause, and the next plan
 * writes it anew. What our own runs do not account for is drift. Never throws.
 */
export class ReadBack {
  readonly #state: EngineState;
  readonly #attempts = new Map<ManagedSet, number>();

  constructor(state: EngineState) {
    this.#state = state;
  }

  /** `headers`: a reading that began after the last run. */
  async read(sets: readonly ManagedSet[], headers: HeaderReading): Promise<ReadBackFindings> {
    const findings = new Map<string, string>();
    const present: ManagedSet[] = [];
    this.#state.stamp++;
    for (const set of sets) {
      this.#state.toRead.delete(set);
      // Nothing wants it any more, and it was forgotten, while it waited to be read.
      if (this.#state.registry.get(set.key) !== set) continue;
      this.#state.dirty.add(set);
      if (this.#enterHeader(set, headers, findings)) present.push(set);
    }
    // Until they are read nobody else looks what became of them.
    for (const set of present) this.#state.toRead.add(set);
    const arrived = new Set(present.filter((set) => set.ledger.content.kind !== 'known').map(({ name }) => name));
    const different = new Map<ManagedSet, Difference>();
    await readContents(this.#state, present, (set, content) => {
      const found = foundBySomebody(set, content);
      if (found === null || isNone(found)) this.#enter(set, content, findings);
      else different.set(set, found);
    });
    // Only what a second reading confirms is called drift.
    await readContents(this.#state, [...different.keys()], (set, content) => {
      const first = different.get(set);
      const second = foundBySomebody(set, content);
      this.#enter(set, content, findings);
      if (first === undefined || second === null) return;
      const found = confirmed(first, second);
      if (!isNone(found)) recordDrift(this.#state, set, { kind: 'members', ...found });
    });
    wakeLists(this.#state, arrived);
    this.#state.stamp++;
    // Before the kernel was taken over, ledgers do not know yet what is held.
    if (this.#state.isAdopted) pruneHeld(this.#state);
    return findings;
  }

  #enter(set: ManagedSet, content: SetContent, findings: Map<string, string>): void {
    this.#state.toRead.delete(set);
    switch (content.kind) {
      case 'content':
        this.#attempts.delete(set);
        set.ledger.becomeKnown(content.missing, content.extra);
        findings.set(set.name, foundWords(set, content.missing.size, content.extra.size, content.elements));
        break;
      case 'void':
        this.#state.toRead.add(set);
        break;
      case 'fault':
        this.#enterFault(set, content.fault, findings);
    }
  }

  #enterHeader(set: ManagedSet, headers: HeaderReading, findings: Map<string, string>): boolean {
    if (headers.unreadable.has(set.name)) {
      set.ledger.becomeUnknown('this version of ipset cannot read it');
      findings.set(set.name, 'The set is there, and this version of ipset cannot read it.');
      return false;
    }
    const listed = headers.byName.get(set.name);
    if (listed === undefined) {
      set.conflict = null;
      set.remake = null;
      set.ledger.becomeAbsent();
      findings.set(set.name, 'The kernel has no such set.');
      return false;
    }
    if (fitsHeader(set, listed)) return true;
    const cause = set.conflict ?? set.remake?.cause ?? 'its header does not fit';
    set.ledger.becomeUnknown(cause);
    findings.set(set.name, `${cause[0]?.toUpperCase() ?? ''}${cause.slice(1)}.`);
    return false;
  }

  #enterFault(set: ManagedSet, fault: ReadFault, findings: Map<string, string>): void {
    findings.set(set.name, `It could not be read: ${fault.message}`);
    if (fault.code === 'set-missing') {
      this.#state.toRead.add(set);
      return;
    }
    set.ledger.becomeUnknown(`it could not be read: ${fault.message}`);
    const attempts = (this.#attempts.get(set) ?? 0) + 1;
    this.#attempts.set(set, attempts);
    if (attempts < ATTEMPTS_MAX || ENVIRONMENT.has(fault.code)) this.#state.toRead.add(set);
  }
}

/** What our own doing does not account for; null: nothing was known of the set before, or it was not read. */
function foundBySomebody({ ledger }: ManagedSet, content: SetContent): Difference | null {
  const before = ledger.content.kind === 'unknown' ? ledger.content.before : ledger.content;
  if (content.kind !== 'content' || before === undefined || !('missing' in before)) return null;
  return foreignDifference(before, content);
}

function foundWords(set: ManagedSet, missing: number, extra: number, elements: number): string {
  const wanted = set.desired.count;
  if (missing + extra === 0) return `All ${wanted} wanted elements are there, and nothing else.`;
  const more = extra === 0 ? '' : `, and ${extra} that are not wanted`;
  return `${elements} elements are there: ${wanted - missing} of the ${wanted} wanted${more}.`;
}
