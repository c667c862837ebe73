import type { SaveHandlers } from '@setkeeper/ipset';
import type { ReadFault } from '../kernel/kernel-reader.ts';
import { ContentReading, type ReadContent } from '../sets/content-reading.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { EngineState } from './engine-state.ts';

/** What reading a set's content came to. */
export type SetContent =
  | Extract<ReadContent, { kind: 'content' | 'void' }>
  | { readonly kind: 'fault'; readonly fault: ReadFault };

/** From so many sets on, one dump of everything is cheaper than one process a set. */
const ONE_BY_ONE_MAX = 16;

/** Reads the contents of sets and compares them with what is desired as they stream by. Changes nothing. */
export async function readContents(
  state: EngineState,
  sets: readonly ManagedSet[],
): Promise<ReadonlyMap<ManagedSet, SetContent>> {
  const contents = new Map<ManagedSet, SetContent>();
  let rest = sets;
  if (sets.length > ONE_BY_ONE_MAX) {
    for (const [set, content] of await readEverything(state, sets)) contents.set(set, content);
    rest = sets.filter((set) => contents.get(set)?.kind !== 'content');
    // A dump of everything that failed says nothing of any set; each is asked for itself.
  }
  for (const set of rest) contents.set(set, await readContent(state, set));
  return contents;
}

/** Reads one set; a second time where the first told that something is missing, but not what. */
export async function readContent(state: EngineState, set: ManagedSet): Promise<SetContent> {
  const first = await readOnce(state, set, false);
  if (first.kind !== 'read-again') return first;
  const second = await readOnce(state, set, true);
  return second.kind === 'read-again' ? { kind: 'void' } : second;
}

async function readOnce(
  state: EngineState,
  set: ManagedSet,
  keepsAll: boolean,
): Promise<SetContent | { readonly kind: 'read-again' }> {
  const content = begin(set, keepsAll);
  const reading = await state.ports.reader.members(
    set.name,
    visitorOf(set, () => content),
  );
  if (reading.ok) return content.finish();
  content.abandon();
  return { kind: 'fault', fault: reading.fault };
}

async function readEverything(
  state: EngineState,
  sets: readonly ManagedSet[],
): Promise<ReadonlyMap<ManagedSet, SetContent>> {
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
  const contents = new Map<ManagedSet, SetContent>();
  for (const [set, content] of begun) {
    if (!reading.ok) content.abandon();
    else {
      const result = content.finish();
      if (result.kind !== 'read-again') contents.set(set, result);
    }
  }
  return contents;
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
