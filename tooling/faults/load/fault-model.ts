import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A model that changes at random, and what it wants in the kernel, counted in the simplest way. */
export interface FaultModel {
  /** Changes some endpoints and writes the files that have them, each whole at once. Gives how many endpoints changed. */
  change(count: number): number;
  /** Members by the name of their kernel set. */
  wanted(): ReadonlyMap<string, ReadonlySet<string>>;
}

export const TAGS: readonly string[] = ['t0', 't1', 't2', 't3', 't4', 't5'];
const PROFILES = 12;
const FILES = 8;

interface Endpoint {
  readonly profile: number;
  readonly ipv4: string;
  readonly ipv6: string | null;
}

/** Writes the first state into a directory; `endpoints`: how many there may be. `random`: numbers in [0, 1). */
export function createFaultModel(directory: string, endpoints: number, random: () => number): FaultModel {
  const below = (bound: number): number => Math.floor(random() * bound);
  const table: (Endpoint | undefined)[] = Array.from({ length: endpoints });
  const tagsOf = (profile: number): readonly string[] => [
    TAGS[profile % TAGS.length] ?? 't0',
    TAGS[(profile * 5 + 1) % TAGS.length] ?? 't0',
  ];
  const write = (name: string, content: unknown): void => {
    // A name that is no document's: what is half written is never read.
    writeFileSync(join(directory, `.${name}.new`), JSON.stringify(content));
    renameSync(join(directory, `.${name}.new`), join(directory, name));
  };
  const writeFile = (file: number): void => {
    const rows: Record<string, unknown> = {};
    for (let at = file; at < endpoints; at += FILES) {
      const one = table[at];
      if (one === undefined) continue;
      const ipv6 = one.ipv6 === null ? {} : { ipv6: [one.ipv6] };
      rows[`e/${at}`] = { profiles: [`p${one.profile}`], ipv4: [one.ipv4], ...ipv6 };
    }
    write(`part-${file}.json`, { endpoints: rows });
  };
  const renew = (at: number): void => {
    // Few addresses for many endpoints: members have several owners.
    const place = below(endpoints * 2);
    table[at] =
      random() < 0.15
        ? undefined
        : {
            profile: below(PROFILES),
            ipv4: `10.20.${place >> 8}.${place & 255}`,
            ipv6: random() < 0.4 ? `2001:db8::${(place + 1).toString(16)}` : null,
          };
  };

  write('profiles.json', {
    profiles: Object.fromEntries(Array.from({ length: PROFILES }, (_, id) => [`p${id}`, { tags: tagsOf(id) }])),
  });
  for (let at = 0; at < endpoints; at += 1) renew(at);
  for (let file = 0; file < FILES; file += 1) writeFile(file);

  return {
    change: (count) => {
      const first = below(FILES);
      const files = new Set<number>();
      for (let n = 0; n < count; n += 1) {
        const at = (first + FILES * below(Math.floor(endpoints / FILES))) % endpoints;
        renew(at);
        files.add(at % FILES);
      }
      for (const file of files) writeFile(file);
      return count;
    },
    wanted: () => {
      const sets = new Map<string, Set<string>>();
      for (const tag of TAGS) {
        sets.set(`sk-v4-t.${tag}`, new Set());
        sets.set(`sk-v6-t.${tag}`, new Set());
      }
      for (const one of table) {
        for (const tag of one === undefined ? [] : tagsOf(one.profile)) {
          sets.get(`sk-v4-t.${tag}`)?.add(one?.ipv4 ?? '');
          if (one?.ipv6 !== null && one !== undefined) sets.get(`sk-v6-t.${tag}`)?.add(one.ipv6);
        }
      }
      return sets;
    },
  };
}
