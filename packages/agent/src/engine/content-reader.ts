import type { SaveHandlers } from '@setkeeper/ipset';
import type { ReadFault } from '../kernel/kernel-reader.ts';
import { ContentReading, type ReadContent } from '../sets/content-reading.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { EngineState } from './engine-state.ts';

/** A reading that was whole. */
export type ReadElements = Extract<ReadContent, { kind: 'content' }>;

/** What reading a set's content came to. */
export type SetContent =
  | ReadElements
  | Extract<ReadContent, { kind: 'void' }>
  | { readonly kind: 'fault'; readonly fault: ReadFault };

/** From so many sets on, one dump of everything is cheaper than one process a set. */
const ONE_BY_ONE_MAX = 16;

/** Is given what a reading came to at the moment it is whole: a moment later the model may want something else. */
export type EnterContent = (set: ManagedSet, content: SetContent) => void;

/** Reads the contents of sets and compares them with what is desired as they stream by. Each is given to `enter` once. */
export async function readContents(
  state: EngineState,
  sets: readonly ManagedSet[],
  enter: EnterContent,
): Promise<void> {
  const entered = new Set<ManagedSet>();
  if (sets.length > ONE_BY_ONE_MAX) {
    await readEverything(state, sets, (set, content) => {
      if (content.kind !== 'content') return;
      entered.add(set);
      enter(set, content);
    });
    // A dump of everything that failed says nothing of any set; each is asked for itself.
  }
  for (const set of sets) if (!entered.has(set)) await readContent(state, set, enter);
}

/** Reads one set; a second time where the first told that something is missing, but not what. */
export async function readContent(state: EngineState, set: ManagedSet, enter: EnterContent): Promise<void> {
  if (await readOnce(state, set, { keepsAll: false, enter })) return;
  if (!(await readOnce(state, set, { keepsAll: true, enter }))) enter(set, { kind: 'void' });
}

/** False: it has to be read once more, with all texts kept. */
async function readOnce(
  state: EngineState,
  set: ManagedSet,
  { keepsAll, enter }: { readonly keepsAll: boolean; readonly enter: EnterContent },
): Promise<boolean> {
  const content = begin(set, keepsAll);
  const reading = await state.ports.reader.members(
    set.name,
    visitorOf(set, () => content),
  );
  if (!reading.ok) {
    content.abandon();
    enter(set, { kind: 'fault', fault: reading.fault });
    return true;
  }
  const read = content.finish();
  if (read.kind === 'read-again') return false;
  enter(set, read);
  return true;
}

async function readEverything(state: EngineState, sets: readonly ManagedSet[], enter: EnterContent): Promise<void> {
  const asked = new Map(sets.map((set) => [set.name, set]));
  const begun = new Map<ManagedSet, ContentReading>();
  let current: ManagedSet | null = null;
  const reading = await state.ports.reader.everything({
    onSet: ({ name, type, family }) => {
      current = asked.get(name) ?? null;
      if (current === null) return;
      begun.get(current)?.abandon();
      const content = begin(current, false);
      content.sawKind(type, family);
      begun.set(current, content);
    },
    onMember: (name, element, options) => {
      if (current?.name === name) begun.get(current)?.sawElement(element, options?.nomatch ?? false);
    },
    onIpv4: (name, address, prefixLength) => {
      if (current?.name === name) begun.get(current)?.sawIpv4(address, prefixLength);
    },
    onAnomaly: () => {},
  });
  for (const [set, content] of begun) {
    if (!reading.ok) content.abandon();
    else {
      const result = content.finish();
      if (result.kind !== 'read-again') enter(set, result);
    }
  }
}

function begin(set: ManagedSet, keepsAll: boolean): ContentReading {
  return new ContentReading({
    ledger: set.ledger,
    desired: set.desired,
    type: set.type,
    family: set.family,
    expected: set.seen?.listed.entries ?? null,
    keepsAll,
  });
}

const visitorOf = (set: ManagedSet, content: () => ContentReading): SaveHandlers => ({
  onSet: ({ name, type, family }) => {
    if (name === set.name) content().sawKind(type, family);
  },
  onMember: (name, element, options) => {
    if (name === set.name) content().sawElement(element, options?.nomatch ?? false);
  },
  onIpv4: (name, address, prefixLength) => {
    if (name === set.name) content().sawIpv4(address, prefixLength);
  },
  onAnomaly: () => {},
});
