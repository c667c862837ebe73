import { formatIpv4, isNomatch, type Member, memberKey, readIpv4, sortMembers } from '@setkeeper/ipset';

/** Null while there is time left, else a promise to await: others have their turn. */
export type Breathe = () => Promise<void> | null;

/** Members handled between two questions whether it is time to breathe. */
const SLICE = 4_096;
/** Numbers sorted at once: some ten milliseconds. */
const RUN = 131_072;

/** So many places fit beside an IPv4 address into the 53 bits of an exact number. */
const PLACES = 2 ** 21;

/**
 * A new array in the order of `sortMembers`, made in slices of a few milliseconds: sorting a million at once would keep
 * the agent from answering for half a second. Plain IPv4 members go this way; with any other among them all are sorted
 * at once.
 */
export async function sortInTurns(members: Iterable<Member>, breathe: Breathe): Promise<readonly Member[]> {
  const texts: Member[] = [];
  for (const member of members) if (texts.push(member) % SLICE === 0) await breathe();
  const addresses = await keysOf(texts, addressAndPlace, breathe);
  if (addresses !== null) return inOrder(await mergeSort(addresses, breathe), (key) => texts[placeOf(key)], breathe);
  const networks = await keysOf(texts, pack, breathe);
  return networks === null ? sortMembers(texts) : inOrder(await mergeSort(networks, breathe), unpack, breathe);
}

/** Null if a member has no key: a negative one. */
async function keysOf(
  members: readonly Member[],
  keyOf: (member: Member, place: number) => number,
  breathe: Breathe,
): Promise<Float64Array<ArrayBuffer> | null> {
  const keys = new Float64Array(members.length);
  for (const [place, member] of members.entries()) {
    const key = keyOf(member, place);
    if (key < 0) return null;
    keys[place] = key;
    if (place % SLICE === 0) await breathe();
  }
  return keys;
}

async function inOrder(
  keys: Float64Array,
  textOf: (key: number) => Member | undefined,
  breathe: Breathe,
): Promise<readonly Member[]> {
  const texts: Member[] = [];
  for (const key of keys) {
    const text = textOf(key);
    if (text !== undefined && texts.push(text) % SLICE === 0) await breathe();
  }
  return texts;
}

async function mergeSort(numbers: Float64Array<ArrayBuffer>, breathe: Breathe): Promise<Float64Array> {
  for (let from = 0; from < numbers.length; from += RUN) {
    numbers.subarray(from, from + RUN).sort();
    await breathe();
  }
  let source = numbers;
  let target = new Float64Array(numbers.length);
  for (let width = RUN; width < numbers.length; width *= 2) {
    for (let from = 0; from < numbers.length; from += 2 * width) {
      await merge(source, target, { from, middle: from + width, to: from + 2 * width }, breathe);
    }
    [source, target] = [target, source];
  }
  return source;
}

async function merge(
  source: Float64Array,
  target: Float64Array,
  { from, middle, to }: { readonly from: number; readonly middle: number; readonly to: number },
  breathe: Breathe,
): Promise<void> {
  const leftEnd = Math.min(middle, source.length);
  const rightEnd = Math.min(to, source.length);
  let left = from;
  let right = leftEnd;
  for (let at = from; at < rightEnd; at++) {
    const a = left < leftEnd ? (source[left] ?? 0) : Number.POSITIVE_INFINITY;
    const b = right < rightEnd ? (source[right] ?? 0) : Number.POSITIVE_INFINITY;
    if (a <= b) {
      target[at] = a;
      left++;
    } else {
      target[at] = b;
      right++;
    }
    if (at % SLICE === 0) await breathe();
  }
}

/** The text is found again by its place: making it anew takes longer than sorting. */
const addressAndPlace = (member: Member, place: number): number =>
  place < PLACES ? readIpv4(member, 0, member.length) * PLACES + place : -1;

const placeOf = (key: number): number => key - Math.floor(key / PLACES) * PLACES;

/** Address, prefix length and flag as one exact number in the order of members; -1 for anything but plain IPv4. */
function pack(member: Member): number {
  const key = memberKey(member);
  const slash = key.indexOf('/');
  const address = readIpv4(key, 0, slash < 0 ? key.length : slash);
  const length = slash < 0 ? 32 : Number(key.slice(slash + 1));
  if (address < 0 || !Number.isInteger(length)) return -1;
  return (address * 64 + length) * 2 + (isNomatch(member) ? 1 : 0);
}

function unpack(packed: number): Member {
  const rest = Math.floor(packed / 2);
  const length = rest % 64;
  const address = formatIpv4((rest - length) / 64);
  const text = length === 32 ? address : `${address}/${length}`;
  return (packed % 2 === 1 ? `${text} nomatch` : text) as Member;
}
