import { AssertionError } from 'node:assert';
import type { SetHeader } from './header.ts';
import { readDecimal, readIpv4, readIpv6 } from './ip-address.ts';
import { isNomatch, type Member, memberKey, NOMATCH } from './member.ts';
import type { Operation } from './operation.ts';
import { protocolNumber } from './protocol.ts';
import { isWritableSetName } from './set-name.ts';
import { isManagedType } from './set-type.ts';

/**
 * The restore line of an operation, without newline. This is the only place where restore text is made, and every word
 * of a line is checked here against a whitelist, whatever its type promised: a text from a model, an operator or the
 * kernel can never become a command, an option (ipset takes `-f`, `-o`, `-q`, `-exist` from any word of a line, even in
 * quotes: measured), a file name, a name to look up, or a second line. No line carries `-exist` (on one line it is
 * sticky for all that follow). Protocols are numbers, since names need /etc/protocols; a del never carries `nomatch`.
 * Throws an assertion for anything that is not writable: that is a bug of the caller, who has `isWritableMember` and
 * `isWritableSetName`.
 */
export function renderOperation(operation: Operation): string {
  switch (operation.op) {
    case 'create':
      return `create ${setName(operation.set)} ${renderHeader(operation.header)}`;
    case 'add':
      return `add ${setName(operation.set)} ${renderElement(operation.member, 'add')}`;
    case 'del':
      return `del ${setName(operation.set)} ${renderElement(operation.member, 'del')}`;
    case 'swap':
      return `swap ${setName(operation.from)} ${setName(operation.to)}`;
    case 'destroy':
      return `destroy ${setName(operation.set)}`;
  }
}

/** The member's words on a line: `10.0.0.1,6:8080`, of an add `10.0.0.0/8 nomatch`. Throws an assertion if not writable. */
export function renderElement(member: Member, op: 'add' | 'del'): string {
  const nomatch = isNomatch(member);
  const rendered = writableElement(nomatch ? memberKey(member) : member);
  if (rendered === undefined) return unwritable('a member', member);
  return nomatch && op === 'add' ? rendered + NOMATCH : rendered;
}

/**
 * As `renderElement`, for sets of all types but `list:set`: a name is no element there. ipset would look it up as a host
 * name (measured: `add a localhost` adds 127.0.0.1).
 */
export function renderAddress(member: Member, op: 'add' | 'del'): string {
  const nomatch = isNomatch(member);
  const text = nomatch ? memberKey(member) : member;
  const rendered = text.includes(',') ? writableElement(text) : isNetwork(text, text.length) ? text : undefined;
  if (rendered === undefined) return unwritable('an address', member);
  return nomatch && op === 'add' ? rendered + NOMATCH : rendered;
}

/**
 * True for a member that may stand on a restore line. False for what only the kernel can have told, such as a set with
 * a space in its name in a list: such a member can be shown, and goes away by swap of the whole set alone.
 */
export const isWritableMember = (member: Member): boolean =>
  writableElement(isNomatch(member) ? memberKey(member) : member) !== undefined;

const GROUPS = new Uint16Array(8);

function writableElement(text: string): string | undefined {
  const comma = text.indexOf(',');
  if (comma < 0) return isNetwork(text, text.length) || isWritableSetName(text) ? text : undefined;
  const colon = text.indexOf(':', comma);
  const protocol = colon < 0 ? -1 : protocolNumber(text.slice(comma + 1, colon));
  if (protocol < 0 || !isNetwork(text, comma) || !isPort(text, colon + 1)) return undefined;
  return `${text.slice(0, comma)},${protocol}${text.slice(colon)}`;
}

function isNetwork(text: string, end: number): boolean {
  const slash = text.indexOf('/');
  const hasPrefix = slash >= 0 && slash < end;
  const addressEnd = hasPrefix ? slash : end;
  if (readIpv4(text, 0, addressEnd) >= 0) return !hasPrefix || readDecimal(text, slash + 1, end, 32) >= 0;
  if (!readIpv6(text, 0, addressEnd, GROUPS)) return false;
  return !hasPrefix || readDecimal(text, slash + 1, end, 128) >= 0;
}

/** A port number, or an ICMP type as ipset prints it (`echo-request`, `4/7`), which adopted sets may hold. */
function isPort(text: string, start: number): boolean {
  return readDecimal(text, start, text.length, 65535) >= 0 || ICMP_TYPE.test(text.slice(start));
}

const ICMP_TYPE = /^(?:[a-z][a-z0-9-]{0,63}|[0-9]{1,3}\/[0-9]{1,3})$/;

function setName(name: string): string {
  return isWritableSetName(name) ? name : unwritable('a set name', name);
}

function renderHeader(header: SetHeader): string {
  if (!isManagedType(header.type)) return unwritable('the type of a set', header.type);
  let text: string = header.type;
  if (header.type === 'list:set') {
    text += number('size', header.size, UINT32_MAX);
  } else {
    if (header.family !== 'inet' && header.family !== 'inet6') return unwritable('a family', String(header.family));
    text += ` family ${header.family}`;
    text += number('hashsize', header.hashsize, UINT32_MAX) + number('maxelem', header.maxelem, UINT32_MAX);
    text += mask('netmask', header.netmask) + mask('bitmask', header.bitmask);
  }
  text += number('timeout', header.timeout, TIMEOUT_SECONDS_MAX);
  if (header.counters) text += ' counters';
  if (header.comment) text += ' comment';
  if (header.skbinfo) text += ' skbinfo';
  return header.forceadd ? `${text} forceadd` : text;
}

const UINT32_MAX = 4_294_967_295;
/** ipset 7.17: "'2147484' is out of range 0-2147483". */
const TIMEOUT_SECONDS_MAX = 2_147_483;

function number(word: string, value: number | null, max: number): string {
  if (value === null) return '';
  if (!Number.isInteger(value) || value < 0 || value > max) return unwritable(word, String(value));
  return ` ${word} ${value}`;
}

function mask(word: string, value: string | null): string {
  if (value === null) return '';
  const isLength = readDecimal(value, 0, value.length, 128) >= 0;
  if (!isLength && (value.includes('/') || !isNetwork(value, value.length))) return unwritable(word, value);
  return ` ${word} ${value}`;
}

function unwritable(what: string, text: string): never {
  throw new AssertionError({ message: `${what} that may not be written on a restore line: ${JSON.stringify(text)}` });
}
