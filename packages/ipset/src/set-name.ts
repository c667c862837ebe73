/** A name that the kernel can give a set. Holding one is no permission to write it: see `isWritableSetName`. */
export type SetName = string & { readonly __brand: 'SetName' };

/** The longest name in bytes: IPSET_MAXNAMELEN (32, linux/netfilter/ipset/ip_set.h) less the closing zero. */
export const SET_NAME_BYTES_MAX = 31;

/**
 * Anything that the kernel can report as a set's name, for READING: up to 31 bytes of UTF-8 without a zero byte.
 * Spaces, quotes, slashes and even the empty name are possible (samples/10-odd-names.save). Undefined for the rest.
 */
export function parseSetName(text: string): SetName | undefined {
  if (Buffer.byteLength(text, 'utf8') > SET_NAME_BYTES_MAX || text.includes('\0')) return undefined;
  return text as SetName;
}

/**
 * True for what we may ever put on a restore line: 1 to 31 of `[A-Za-z0-9_.-]`, first a letter, digit or underscore.
 * The narrow form is a safety rule, not the kernel's: ipset reads `-f`, `-o`, `-exist` as options in any word of a line.
 */
export function isWritableSetName(text: string): boolean {
  const length = text.length;
  if (length === 0 || length > SET_NAME_BYTES_MAX) return false;
  const first = text.charCodeAt(0);
  if (first === DASH || first === DOT) return false;
  for (let i = 0; i < length; i++) {
    if (!isNameCode(text.charCodeAt(i))) return false;
  }
  return true;
}

/**
 * A name as the bytes of ipset's output, one char a byte, made text: UTF-8 where the bytes are valid UTF-8, else left
 * as latin1 (such a name can be shown, but no argument of a process can spell it).
 */
export function decodeSetName(latin1: string): SetName {
  return decodeBytes(latin1) as SetName;
}

/** A comment's bytes (latin1, as the parsers deliver it) as readable text. */
export const commentText = (latin1: string): string => decodeBytes(latin1);

const DASH = 45;
const DOT = 46;
const UNDERSCORE = 95;

function isNameCode(code: number): boolean {
  if (code >= 97 && code <= 122) return true;
  if (code >= 48 && code <= 57) return true;
  if (code >= 65 && code <= 90) return true;
  return code === DASH || code === DOT || code === UNDERSCORE;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeBytes(latin1: string): string {
  if (!hasHighByte(latin1)) return latin1;
  try {
    return UTF8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    // Not UTF-8: the bytes themselves are the only truthful text. No code to give: this is an answer, not a fault.
    return latin1;
  }
}

function hasHighByte(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 127) return true;
  }
  return false;
}
