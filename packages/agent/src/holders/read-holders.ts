import type { Holder, Unreadable } from '@setkeeper/api';
import type { ListedSet } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import type { HolderReading } from './holder-reading.ts';
import type { HolderTools } from './holder-tools.ts';
import { KnownNames } from './known-names.ts';
import { readListMembers } from './list-members.ts';
import { readNft } from './read-nft.ts';
import { readRules } from './read-rules.ts';
import { readTc } from './read-tc.ts';

export interface HolderPorts {
  readonly tools: HolderTools;
  readonly reader: KernelReader;
  readonly clock: Pick<Clock, 'now'>;
}

/** How often a reading is begun again because references changed under it. */
const ATTEMPTS_MAX = 3;

/**
 * Reads what holds sets: rules of iptables in both variants and families, lists, and, where a reference is still
 * unexplained, other tables of nftables and filters of tc. Headers are read before (names) and after (References): a set
 * whose number changed in between is `moving`, and the reading is done again a few times to get rid of those.
 */
export async function readHolders(ports: HolderPorts): Promise<HolderReading> {
  const before = await ports.reader.headers();
  if (!before.ok) return blindReading(ports, before.fault.message);
  let sets = before.value;
  for (let attempt = 1; ; attempt += 1) {
    const reading = await readOnce(ports, sets);
    const isSettled = reading.moving.size === 0 && reading.unknownRules.length === 0;
    if (isSettled || attempt === ATTEMPTS_MAX || reading.sets === null) return withUnknownRules(reading);
    sets = reading.sets;
  }
}

interface OneReading extends HolderReading {
  readonly unknownRules: readonly string[];
}

async function readOnce(ports: HolderPorts, sets: readonly ListedSet[]): Promise<OneReading> {
  const { tools, reader, clock } = ports;
  const names = new KnownNames(sets.map((set) => set.header.name));
  const holders = new Map<string, Holder[]>();
  const enter = (found: readonly (readonly [set: string, holder: Holder])[]): void => {
    for (const [set, holder] of found) {
      const known = holders.get(set);
      if (known === undefined) holders.set(set, [holder]);
      else known.push(holder);
    }
  };
  const rules = await readRules(tools, names);
  enter(rules.holders);
  const lists = await readListMembers(reader, sets);
  enter(lists.holders);
  const unreadable: Unreadable[] = [...rules.unreadable, ...lists.unreadable];
  if (hasUnexplained(sets, holders)) {
    const tc = await readTc(tools, names);
    enter(tc.holders);
    unreadable.push(...tc.unreadable);
  }
  const nft = await readNft(tools, { printed: rules.printedNftTables, wantsCompat: hasUnexplained(sets, holders) });
  unreadable.push(...nft.unreadable);
  const dumps = (await reader.dumps()).map(dumpHolder);
  const after = await reader.headers();
  if (!after.ok) unreadable.push(headersUnreadable(after.fault.message));
  return {
    at: clock.now(),
    sets: after.ok ? after.value : null,
    moving: after.ok ? moving(sets, after.value) : new Set(),
    holders,
    possible: nft.possible,
    dumps,
    expired: lists.expired,
    firewalldSets: nft.firewalldSets,
    isConclusive: after.ok && rules.isConclusive && lists.unreadable.length === 0,
    unreadable,
    unknownRules: rules.unknown,
  };
}

function withUnknownRules({ unknownRules, ...reading }: OneReading): HolderReading {
  if (unknownRules.length === 0) return reading;
  const unknown = unknownRules.map((rule) => ({
    what: rule,
    why: 'it uses a set whose name is none of those that the kernel lists',
    remedy: 'It is read again later; if it stays, look at the rule by hand.',
  }));
  return { ...reading, unreadable: [...reading.unreadable, ...unknown] };
}

async function blindReading({ reader, clock }: HolderPorts, why: string): Promise<HolderReading> {
  return {
    at: clock.now(),
    sets: null,
    moving: new Set(),
    holders: new Map(),
    possible: [],
    dumps: (await reader.dumps()).map(dumpHolder),
    expired: 0,
    firewalldSets: new Set(),
    isConclusive: false,
    unreadable: [headersUnreadable(why)],
  };
}

const headersUnreadable = (why: string): Unreadable => ({
  what: 'ipset list -t',
  why,
  remedy: 'See the problem kernel-unreadable.',
});

const dumpHolder = ({ pid, command }: { readonly pid: number; readonly command: string }): Holder => ({
  kind: 'dump',
  where: `pid ${pid} ${command}`,
  count: 0,
  removeWith: `kill ${pid}`,
});

function hasUnexplained(sets: readonly ListedSet[], holders: ReadonlyMap<string, readonly Holder[]>): boolean {
  return sets.some(({ header, references }) => {
    if (references === null || references === 0) return false;
    const explained = (holders.get(header.name) ?? []).reduce((sum, holder) => sum + holder.count, 0);
    return references > explained;
  });
}

/** Sets that are in both readings of headers and whose References differ, or that appeared with references. */
function moving(before: readonly ListedSet[], after: readonly ListedSet[]): ReadonlySet<string> {
  const counts = new Map(before.map((set) => [set.header.name as string, set.references]));
  return new Set(
    after
      .filter(({ header, references }) => (counts.get(header.name) ?? 0) !== (references ?? 0))
      .map((set) => set.header.name),
  );
}
