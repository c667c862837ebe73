import { formatIpv4, isNomatch, type Member, memberKey, readIpv4, sortMembers } from '@setkeeper/ipset';

/** Null while there is time left, else a promise to await: others have their turn. */
export type Breathe = () => Promise<void> | null;

/** Members handled between two questions whether it is time to breathe. */
const SLICE = 4_096;
/** Numbers sorted at once: a few milliseconds. */
const RUN = 32_768;

/**
 * A new array in the order of `sortMembers`, made in slices of a few milliseconds: sorting a million at once would keep
 * the agent from answering for half a second. Plain IPv4 members go this way; with any other among them all are sorted
 * at once.
 */
export async function sortInTurns(members: Iterable<Member>, breathe: Breathe): Promise<readonly Member[]> {
  const packed: number[] = [];
  const rest: Member[] = [];
  let seen = 0;
  for (const member of members) {
    const number = rest.length > 0 ? -1 : pack(member);
    if (number < 0) rest.push(member);
    else packed.push(number);
    if (++seen % SLICE === 0) await breathe();
  }
  if (rest.length > 0) return sortMembers([...packed.map(unpack), ...rest]);
  const sorted = await mergeSort(Float64Array.from(packed), breathe);
  const texts: Member[] = [];
  for (const number of sorted) {
    texts.push(unpack(number));
    if (texts.length % SLICE === 0) await breathe();
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
    if (at % RUN === 0) await breathe();
  }
}

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
