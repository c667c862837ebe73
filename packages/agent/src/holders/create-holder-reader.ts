import { access, constants } from 'node:fs/promises';
import type { Holder, Unreadable } from '@setkeeper/api';
import type { ListedSet } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import type { Launcher } from '../launcher/launcher-client.ts';
import type { HolderReader, HolderReading } from './holder-reading.ts';
import { readNftCompat } from './nft-compat.ts';
import { shellWord } from './rules-save.ts';
import { readAllRules } from './save-tools.ts';

/** Reads holders through the launcher and the kernel reader; one reading at a time, callers share it. */
export function createHolderReader(ports: {
  readonly launcher: Launcher;
  readonly reader: KernelReader;
  readonly clock: Clock;
}): HolderReader {
  let newest: HolderReading | null = null;
  let running: Promise<HolderReading> | null = null;
  const read = async (): Promise<HolderReading> => {
    newest = await readHolders(ports);
    return newest;
  };
  return {
    last: () => newest,
    read: () => {
      running ??= read().finally(() => {
        running = null;
      });
      return running;
    },
  };
}

async function readHolders(ports: {
  readonly launcher: Launcher;
  readonly reader: KernelReader;
  readonly clock: Clock;
}): Promise<HolderReading> {
  const { launcher, reader, clock } = ports;
  const unreadable: Unreadable[] = [];
  const headers = await reader.headers();
  if (!headers.ok)
    unreadable.push({
      what: 'ipset list -t',
      why: headers.fault.message,
      remedy: 'See the problem kernel-unreadable.',
    });
  const sets = headers.ok ? headers.value : [];
  const holders = new Map<string, Holder[]>();
  const add = (set: string, holder: Holder): void => {
    const found = holders.get(set);
    if (found === undefined) holders.set(set, [holder]);
    else found.push(holder);
  };
  const rules = await readAllRules({ launcher, probe }, new Set(sets.map((set) => set.header.name)));
  unreadable.push(...rules.unreadable);
  for (const { mentions } of rules.readings) for (const { set, holder } of mentions) add(set, holder);
  for (const list of sets) unreadable.push(...(await readListMembers(reader, list, add)));
  const compat = await readCompat(launcher);
  unreadable.push(...compat.unreadable);
  const dumps = (await reader.dumps()).map(
    ({ pid, command }): Holder => ({
      kind: 'dump',
      where: `pid ${pid} ${command}`,
      count: 0,
      removeWith: `kill ${pid}`,
    }),
  );
  return { at: clock.now(), holders, possible: compat.holders, dumps, unreadable };
}

async function readListMembers(
  reader: KernelReader,
  list: ListedSet,
  add: (set: string, holder: Holder) => void,
): Promise<readonly Unreadable[]> {
  if (list.header.type !== 'list:set' || list.entries === 0) return [];
  const { name } = list.header;
  const reading = await reader.members(name, {
    onSet: () => {},
    onMember: (_set, element) =>
      add(element, {
        kind: 'list-set',
        where: `list ${name}`,
        count: 1,
        removeWith: `ipset del ${shellWord(name)} ${shellWord(element)}`,
      }),
    onAnomaly: () => {},
  });
  if (reading.ok || reading.fault.code === 'set-missing') return [];
  return [{ what: `members of ${name}`, why: reading.fault.message, remedy: 'It is read again.' }];
}

async function readCompat(
  launcher: Launcher,
): Promise<{ readonly holders: readonly Holder[]; readonly unreadable: readonly Unreadable[] }> {
  const file = await launcher.which('nft');
  if (file === null) {
    return {
      holders: [],
      unreadable: [
        { what: 'nft list ruleset', why: 'the tool is not installed', remedy: 'Install the Debian package nftables.' },
      ],
    };
  }
  const result = await launcher.run({
    file,
    args: ['-j', 'list', 'ruleset'],
    env: { LC_ALL: 'C' },
    timeoutSeconds: 60,
  });
  const holders = result.exitCode === 0 ? readNftCompat(new TextDecoder().decode(result.stdout)) : undefined;
  if (holders !== undefined) return { holders, unreadable: [] };
  const why = result.stderr.trim() === '' ? 'its output is not the JSON that was expected' : result.stderr.trim();
  return {
    holders: [],
    unreadable: [{ what: 'nft list ruleset', why, remedy: 'Rules of other nft tables may hold sets unseen.' }],
  };
}

async function probe(path: string): Promise<'readable' | 'absent' | 'forbidden'> {
  try {
    await access(path, constants.R_OK);
    return 'readable';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'absent' : 'forbidden';
  }
}
