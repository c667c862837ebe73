/** `tag:web`, `port:web/http`, `net:corp`, `list:trusted`, `hosts:all`: the model's name of a group. */
export type GroupId = string & { readonly __brand: 'GroupId' };

export type GroupKind = 'tag' | 'port' | 'net' | 'list' | 'hosts';

/** Every kind, in the order in which groups are listed. */
export const GROUP_KINDS: readonly GroupKind[] = ['tag', 'port', 'net', 'list', 'hosts'];

/** A group id taken apart, or why it is none. `tag` and `port` are there for kind `port` alone. */
export type ParsedGroupId =
  | {
      readonly ok: true;
      readonly id: GroupId;
      readonly kind: GroupKind;
      readonly name: string;
      readonly tag?: string;
      readonly port?: string;
    }
  | { readonly ok: false; readonly reason: string };

/** Takes a group id apart. `port:TAG/NAME` splits at the last `/`, since a tag may hold slashes; hosts is `hosts:all` alone. */
export function parseGroupId(text: string): ParsedGroupId {
  const colon = text.indexOf(':');
  if (colon < 0) return { ok: false, reason: `a group id is KIND:NAME, with KIND one of ${GROUP_KINDS.join(', ')}` };
  const kind = GROUP_KINDS.find((known) => known === text.slice(0, colon));
  if (kind === undefined) return { ok: false, reason: `the kind of a group is one of ${GROUP_KINDS.join(', ')}` };
  const name = text.slice(colon + 1);
  if (kind === 'port') return parsePortGroup(text, name);
  const fault = checkId(name);
  if (fault !== undefined) return { ok: false, reason: `the name of the group ${fault}` };
  if (kind === 'hosts' && name !== 'all') return { ok: false, reason: 'the only group of hosts is hosts:all' };
  return { ok: true, id: text as GroupId, kind, name };
}

/**
 * The rule for every id of the model: 1 to 253 bytes of UTF-8 in normal form C, without control, bidirectional or
 * line-separator characters. Returns the reason against it as a phrase ("is empty"), or undefined for a good id.
 */
export function checkId(text: string): string | undefined {
  if (text.length === 0) return 'is empty';
  if (text.length > ID_BYTES_MAX || Buffer.byteLength(text, 'utf8') > ID_BYTES_MAX) {
    return `is longer than ${ID_BYTES_MAX} bytes`;
  }
  if (PLAIN_ASCII.test(text)) return undefined;
  if (!text.isWellFormed()) return 'is not valid UTF-8 (a lone surrogate)';
  if (CONTROL.test(text)) return 'holds a control character';
  if (BIDI.test(text)) return 'holds a bidirectional formatting character';
  if (LINE_SEPARATOR.test(text)) return 'holds a line separator';
  if (text.normalize('NFC') !== text) return 'is not in Unicode normal form C (NFC)';
  return undefined;
}

/** The rule for names of ports: 1 to 63 of `[A-Za-z0-9_.-]`. */
export const isPortName = (text: string): boolean => PORT_NAME.test(text);

const ID_BYTES_MAX = 253;
const PLAIN_ASCII = /^[\x20-\x7e]+$/;
const CONTROL = /\p{Cc}/u;
const BIDI = /\p{Bidi_Control}/u;
const LINE_SEPARATOR = /[\u2028\u2029]/;
const PORT_NAME = /^[A-Za-z0-9_.-]{1,63}$/;

function parsePortGroup(text: string, name: string): ParsedGroupId {
  const slash = name.lastIndexOf('/');
  if (slash < 0) return { ok: false, reason: 'a port group is port:TAG/NAME' };
  const tag = name.slice(0, slash);
  const port = name.slice(slash + 1);
  const fault = checkId(tag);
  if (fault !== undefined) return { ok: false, reason: `the tag of the port group ${fault}` };
  if (!isPortName(port)) return { ok: false, reason: 'the name of a port is 1 to 63 of [A-Za-z0-9_.-]' };
  return { ok: true, id: text as GroupId, kind: 'port', name, tag, port };
}
