import { bitsOf, type FakeFamily, formatAddress, resolve } from './fake-address.ts';
import type { Extensions, SetParameters } from './fake-set.ts';
import { kernelError, syntaxError, usageError, WORDS } from './ipset-error.ts';

/** What of an element's line is given beside the element. */
export interface GivenExtensions extends Extensions {
  /** `before` or `after`, and the name: lists only. */
  readonly place: readonly ['before' | 'after', string] | null;
}

const UINT32_MAX = 4_294_967_295;
const TIMEOUT_MAX = 2_147_483;
const COMMENT_MAX = 255;
const BITMAP_SIZE_MAX = 65_536n;

/** ipset's number: decimal or hexadecimal, whole, in a range. */
export function numberWord(word: string, min: number, max: number): number {
  if (!/^[+-]?(?:0x[0-9a-f]+|[0-9]+)$/i.test(word)) throw syntaxError(`'${word}' is invalid as number`);
  const value = Number(word);
  if (value < min || value > max) throw syntaxError(`'${word}' is out of range ${min}-${max}`);
  return value;
}

/** Reads the words behind `create NAME TYPE`. */
export function createParameters(type: string, words: readonly string[]): SetParameters {
  const isHash = type.startsWith('hash:');
  const given = new Map<string, string>();
  const flags = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (CREATE_FLAGS.has(word) && (word !== 'forceadd' || isHash)) flags.add(word);
    else if (createOptions(type).has(word)) given.set(word, argumentOf(words, i++));
    else throw usageError(`Unknown argument: \`${word}'`);
  }
  const number = (word: string, max: number): number | null => {
    const text = given.get(word);
    return text === undefined ? null : numberWord(text, 0, max);
  };
  const family = isHash ? familyWord(given.get('family') ?? 'inet') : type === 'list:set' ? null : 'inet';
  const netmask = given.get('netmask');
  const hashsize = number('hashsize', UINT32_MAX);
  return {
    family,
    hashsize: isHash ? tableSize(hashsize ?? 1024) : null,
    maxelem: isHash ? (number('maxelem', UINT32_MAX) ?? 65_536) : null,
    netmask: netmask === undefined ? null : netmaskWord(netmask, family ?? 'inet'),
    ...rangeWords(given.get('range')),
    size: type === 'list:set' ? (number('size', UINT32_MAX) ?? 8) : null,
    timeout: number('timeout', TIMEOUT_MAX),
    counters: flags.has('counters'),
    comment: flags.has('comment'),
    skbinfo: flags.has('skbinfo'),
    forceadd: flags.has('forceadd'),
  };
}

const CREATE_FLAGS: ReadonlySet<string> = new Set(['counters', 'comment', 'skbinfo', 'forceadd']);

function createOptions(type: string): ReadonlySet<string> {
  if (type === 'list:set') return new Set(['size', 'timeout']);
  if (type.startsWith('bitmap:')) return new Set(['range', 'netmask', 'timeout']);
  const options = new Set(['family', 'hashsize', 'maxelem', 'timeout', 'bucketsize', 'initval']);
  if (type === 'hash:ip') options.add('netmask');
  return options;
}

function familyWord(word: string): FakeFamily {
  if (word === 'inet' || word === 'ipv4' || word === '-4') return 'inet';
  if (word === 'inet6' || word === 'ipv6' || word === '-6') return 'inet6';
  throw syntaxError(`unknown inet family ${word}`);
}

function netmaskWord(word: string, family: FakeFamily): number {
  const max = bitsOf(family);
  const value = Number(word);
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw syntaxError(`netmask is out of the inclusive range of 1-${max}`);
  return value;
}

function rangeWords(text: string | undefined): Pick<SetParameters, 'range' | 'rangeText'> {
  if (text === undefined) return { range: null, rangeText: '' };
  const slash = text.indexOf('/');
  const [from = '', to = from] = slash < 0 ? text.split('-') : [text.slice(0, slash)];
  const first = resolve(from, 'inet') ?? 0n;
  const last =
    slash < 0 ? (resolve(to, 'inet') ?? 0n) : first + (1n << BigInt(32 - Number(text.slice(slash + 1)))) - 1n;
  if (last - first >= BITMAP_SIZE_MAX) throw kernelError(WORDS.rangeTooBig);
  return { range: [first, last], rangeText: `${formatAddress(first, 'inet')}-${formatAddress(last, 'inet')}` };
}

/** The kernel rounds the table up to a power of two. */
function tableSize(hashsize: number): number {
  let size = 64;
  while (size < hashsize) size *= 2;
  return size;
}

/** Reads the words behind an element. A del takes none, but for the place in a list. */
export function elementExtensions(command: 'add' | 'del', type: string, words: readonly string[]): GivenExtensions {
  let nomatch = false;
  let place: GivenExtensions['place'] = null;
  const given = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (command === 'add' && word === 'nomatch' && type.includes('net')) nomatch = true;
    else if ((word === 'before' || word === 'after') && type === 'list:set') place = [word, argumentOf(words, i++)];
    else if (command === 'add' && ELEMENT_OPTIONS.has(word)) given.set(word, argumentOf(words, i++));
    else throw usageError(`Unknown argument: \`${word}'`);
  }
  const comment = given.get('comment') ?? null;
  if (comment !== null && Buffer.byteLength(comment) > COMMENT_MAX) {
    throw syntaxError(`Comment is longer than the maximum allowed ${COMMENT_MAX} characters`);
  }
  const skbmark = given.get('skbmark');
  if (skbmark !== undefined && !/^0x[0-9a-f]+(\/0x[0-9a-f]+)?$/i.test(skbmark)) {
    throw syntaxError('Invalid skbmark format, it should be:  MARK/MASK or MARK (see manpage)');
  }
  const timeout = given.get('timeout');
  const packets = given.get('packets');
  const bytes = given.get('bytes');
  return {
    nomatch,
    place,
    comment,
    timeout: timeout === undefined ? null : numberWord(timeout, 0, TIMEOUT_MAX),
    packets: packets === undefined ? null : BigInt(packets),
    bytes: bytes === undefined ? null : BigInt(bytes),
  };
}

const ELEMENT_OPTIONS: ReadonlySet<string> = new Set([
  'timeout',
  'packets',
  'bytes',
  'comment',
  'skbmark',
  'skbprio',
  'skbqueue',
]);

function argumentOf(words: readonly string[], index: number): string {
  const value = words[index + 1];
  if (value === undefined) throw usageError(`Missing mandatory argument of option \`${words[index] ?? ''}'`);
  return value;
}
