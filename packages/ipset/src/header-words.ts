import type { Family } from './family.ts';
import type { SetHeader } from './header.ts';
import type { SetName } from './set-name.ts';

/**
 * A header from the words that `save` prints behind the type and `list` behind `Header:`. Words differ by version
 * (`bucketsize`, `initval`, `probes`), so they are read as keys and values, in any order, and unknown ones are kept.
 * A hash type without `family` is IPv4, ipset's default, but for `hash:mac`, which has none.
 */
export function parseSetHeader(name: SetName, type: string, words: string): SetHeader {
  const raw = readWords(words);
  return {
    name,
    type,
    family: familyOf(type, raw.get('family')),
    maxelem: number(raw.get('maxelem')),
    hashsize: number(raw.get('hashsize')),
    timeout: number(raw.get('timeout')),
    counters: raw.has('counters'),
    comment: raw.has('comment'),
    skbinfo: raw.has('skbinfo'),
    forceadd: raw.has('forceadd'),
    netmask: raw.get('netmask') ?? null,
    bitmask: raw.get('bitmask') ?? null,
    size: number(raw.get('size')),
    raw,
  };
}

const FLAGS = ['counters', 'comment', 'skbinfo', 'forceadd'];
const KEYS = ['family', 'hashsize', 'maxelem', 'timeout', 'netmask', 'bitmask', 'markmask', 'size', 'range'];
const OTHER_KEYS = ['bucketsize', 'initval', 'probes', 'resize'];

/** No value is one of these words, so a word before one of them is a flag, known or not. */
const KNOWN: ReadonlySet<string> = new Set([...FLAGS, ...KEYS, ...OTHER_KEYS]);

function readWords(text: string): ReadonlyMap<string, string> {
  const words = text.split(' ').filter((word) => word !== '');
  const raw = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const key = words[i] ?? '';
    const next = words[i + 1];
    if (FLAGS.includes(key) || next === undefined || KNOWN.has(next)) {
      raw.set(key, '');
    } else {
      raw.set(key, next);
      i++;
    }
  }
  return raw;
}

function familyOf(type: string, word: string | undefined): Family | null {
  if (word === 'inet' || word === 'inet6') return word;
  return word === undefined && type.startsWith('hash:') && type !== 'hash:mac' ? 'inet' : null;
}

function number(word: string | undefined): number | null {
  return word !== undefined && /^[0-9]+$/.test(word) ? Number(word) : null;
}
