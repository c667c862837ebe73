import type { SetHeader } from './header.ts';
import { parseSetHeader } from './header-words.ts';
import { decodeSetName, SET_NAME_BYTES_MAX } from './set-name.ts';

/** What `ipset list` says of a set besides its members. */
export interface ListedSet {
  readonly header: SetHeader;
  readonly revision: number | null;
  /** `Size in memory`. */
  readonly memoryBytes: number | null;
  /** Kernel references; null where the version does not print them. */
  readonly references: number | null;
  /**
   * `Number of entries`; null where the version does not print it. It counts the expired members of a list that the
   * kernel has not collected yet, which `Members:` does not show.
   */
  readonly entries: number | null;
  /** Keys that no known version prints. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** A listed set from its `Key: value` lines (latin1); undefined if what every version prints is not there. */
export function listedSet(lines: ReadonlyMap<string, string>): ListedSet | undefined {
  const name = lines.get('Name');
  const type = lines.get('Type');
  const words = lines.get('Header');
  if (name === undefined || name.length > SET_NAME_BYTES_MAX) return undefined;
  if (type === undefined || !TYPE.test(type) || words === undefined) return undefined;
  return {
    header: parseSetHeader(decodeSetName(name), type, words),
    revision: number(lines.get('Revision')),
    memoryBytes: number(lines.get('Size in memory')),
    references: number(lines.get('References')),
    entries: number(lines.get('Number of entries')),
    unknown: unknownKeys(lines),
  };
}

const TYPE = /^(?:hash|bitmap|list):[a-z,]+$/;
const KNOWN = new Set(['Name', 'Type', 'Revision', 'Header', 'Size in memory', 'References', 'Number of entries']);

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Nearly always the same empty map: ten thousand sets are read every few seconds. */
function unknownKeys(lines: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  let unknown: Map<string, string> | undefined;
  for (const [key, value] of lines) {
    if (KNOWN.has(key)) continue;
    unknown ??= new Map();
    unknown.set(key, value);
  }
  return unknown ?? NOTHING;
}

const number = (text: string | undefined): number | null =>
  text !== undefined && /^[0-9]+$/.test(text) ? Number(text) : null;
