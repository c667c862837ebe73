/** Why a restore failed: the closed classes by which an agent decides and a console groups. */
export type FailureCode =
  | 'set-missing'
  | 'set-exists'
  | 'set-in-use'
  | 'busy'
  | 'type-mismatch'
  | 'swap-missing'
  | 'duplicate'
  | 'absent'
  | 'full'
  | 'list-member'
  | 'null-element'
  | 'bad-cidr'
  | 'out-of-range'
  | 'syntax'
  | 'usage'
  | 'option-unsupported'
  | 'type-unsupported'
  | 'protocol-error'
  | 'set-limit'
  | 'permission'
  | 'no-session'
  | 'unknown';

/** How a restore child ended: what its parent knows. */
export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  /** The command of the failing line, where the caller knows it: it decides `prefixApplied` of set-missing. */
  readonly command?: 'create' | 'add' | 'del' | 'swap' | 'destroy' | 'list';
}

export interface RestoreFailure {
  readonly code: FailureCode;
  /** The line that ipset named, 1-based; null for the third of all failures that name none. */
  readonly line: number | null;
  /** The kernel's or ipset's own words, without `ipset v7.17: Error in line N: `. */
  readonly message: string;
  /** Standard error as it was, for the operator. */
  readonly raw: string;
  /** Protocol warnings that stood before the error: not its cause. */
  readonly warnings: readonly string[];
  /**
   * True: every line before the failing one is in the kernel. False: the run of same-set, same-command add or del lines
   * just before it is, or may be, lost, and has to be sent again (which `-exist` makes harmless).
   */
  readonly prefixApplied: boolean;
  /** `environment`: no line is to blame, and none may be marked rejected. */
  readonly scope: 'line' | 'environment';
  /**
   * True: the same line can succeed a moment later. `set-in-use` is not marked, though a running dump of an unused set
   * can word it so: a caller who sees References 0 may try again.
   */
  readonly transient: boolean;
}

/**
 * Classifies the end of an `ipset restore` that failed (a non-zero exit status or a signal). Measured with ipset 7.17
 * and kernel 6.18 over the records of restore-corpus.jsonl; a text that no class knows is `unknown`, and then nothing
 * is taken for applied. After a signal the kernel holds an exact but unknown prefix: only a read-back tells.
 */
export function classifyFailure(end: ChildEnd): RestoreFailure {
  const { error, warnings } = separateWarnings(end.stderr);
  const { line, message } = takeLineNumber(error);
  const known = end.signal === null ? classOf(message, end) : KILLED;
  return {
    code: known.code,
    line,
    message: message === '' ? describeEnd(end) : message,
    raw: end.stderr,
    warnings,
    prefixApplied: prefixApplied(known, end),
    scope: known.scope ?? 'line',
    transient: known.transient ?? false,
  };
}

/** The protocol warnings in standard error: on a child that goes on, or exits 0, they are all there is to say. */
export const protocolWarnings = (stderr: string): readonly string[] => separateWarnings(stderr).warnings;

/** How an error of this class came about, and so what it did. */
interface FailureClass {
  readonly code: FailureCode;
  /** Parts of the message, any of which marks the class. */
  readonly marks: readonly string[];
  /** Found by the kernel (all lines before are in) or by ipset itself (its buffer was thrown away). */
  readonly foundBy: 'kernel' | 'ipset';
  readonly scope?: 'environment';
  readonly transient?: true;
}

const KILLED: FailureClass = { code: 'unknown', marks: [], foundBy: 'ipset', scope: 'environment', transient: true };
const USAGE: FailureClass = { code: 'usage', marks: [], foundBy: 'ipset' };
const UNKNOWN: FailureClass = { code: 'unknown', marks: [], foundBy: 'ipset' };

/** In order: the first class with a mark in the message. An unknown type is worded as a syntax error, so it comes first. */
const CLASSES: readonly FailureClass[] = [
  {
    code: 'type-unsupported',
    marks: ['set type not supported', 'Kernel and userspace incompatible'],
    foundBy: 'ipset',
    scope: 'environment',
  },
  { code: 'syntax', marks: ['Syntax error:'], foundBy: 'ipset' },
  {
    code: 'set-limit',
    marks: ['maximal number of sets reached'],
    foundBy: 'kernel',
    scope: 'environment',
  },
  { code: 'no-session', marks: ['Cannot open session to kernel'], foundBy: 'ipset', scope: 'environment' },
  {
    code: 'permission',
    marks: ['Operation not permitted', 'Permission denied'],
    foundBy: 'kernel',
    scope: 'environment',
  },
  { code: 'busy', marks: ['Device or resource busy'], foundBy: 'kernel', transient: true },
  { code: 'protocol-error', marks: ['ipset protocol error'], foundBy: 'kernel' },
  {
    code: 'set-exists',
    marks: ['set with the same name already exists', 'a set with the new name already exists'],
    foundBy: 'kernel',
  },
  {
    code: 'set-in-use',
    marks: ['Set cannot be destroyed: it is in use', 'Set cannot be renamed: it is in use'],
    foundBy: 'kernel',
  },
  { code: 'type-mismatch', marks: ['The sets cannot be swapped'], foundBy: 'kernel' },
  { code: 'swap-missing', marks: ['Sets cannot be swapped: the second set does not exist'], foundBy: 'kernel' },
  {
    code: 'list-member',
    marks: [
      'Set to be added/deleted/tested as element',
      'Sets with list:set type cannot be added',
      "'before' or 'after'",
    ],
    foundBy: 'kernel',
  },
  { code: 'duplicate', marks: ["it's already added"], foundBy: 'kernel' },
  { code: 'absent', marks: ["it's not added"], foundBy: 'kernel' },
  { code: 'full', marks: ['Hash is full', 'The set is full'], foundBy: 'kernel' },
  { code: 'null-element', marks: ['Null-valued element'], foundBy: 'kernel' },
  { code: 'bad-cidr', marks: ['The value of the CIDR parameter'], foundBy: 'kernel' },
  { code: 'out-of-range', marks: ['Element is out of the range of the set'], foundBy: 'kernel' },
  { code: 'option-unsupported', marks: ['cannot be used: set was created without'], foundBy: 'kernel' },
  { code: 'set-missing', marks: ['The set with the given name does not exist'], foundBy: 'kernel' },
];

/** Memory of the kernel: no line's fault, and it passes. */
const OUT_OF_MEMORY: FailureClass = {
  code: 'unknown',
  marks: ['Cannot allocate memory', 'No buffer space available', 'Out of memory'],
  foundBy: 'ipset',
  scope: 'environment',
  transient: true,
};

function classOf(message: string, end: ChildEnd): FailureClass {
  if (UNKNOWN_TYPE.test(message)) return CLASSES[0] ?? UNKNOWN;
  const known = CLASSES.find(({ marks }) => marks.some((mark) => message.includes(mark)));
  if (known !== undefined) return known;
  if (OUT_OF_MEMORY.marks.some((mark) => message.includes(mark))) return OUT_OF_MEMORY;
  return end.exitCode === 2 ? USAGE : UNKNOWN;
}

const UNKNOWN_TYPE = /typename '.*' is unknown/;

function prefixApplied(known: FailureClass, end: ChildEnd): boolean {
  // ipset finds a missing set of an add or del by itself, before it sends its buffer; the kernel finds all others.
  if (known.code === 'set-missing') return end.command !== undefined && end.command !== 'add' && end.command !== 'del';
  return known.foundBy === 'kernel';
}

const WARNING = /^(?:ipset v\S+: |Warning: )*Kernel support protocol versions .*$/;

function separateWarnings(stderr: string): { readonly error: string; readonly warnings: readonly string[] } {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return {
    error: lines.filter((line) => !WARNING.test(line)).join('\n'),
    warnings: lines.filter((line) => WARNING.test(line)),
  };
}

const PROGRAM = /^ipset v[^:\s]+: /;
const LINE_NUMBER = /^Error in line ([0-9]+): /;

function takeLineNumber(error: string): { readonly line: number | null; readonly message: string } {
  const words = error.replace(PROGRAM, '').replace("\nTry `ipset help' for more information.", '');
  const found = LINE_NUMBER.exec(words);
  if (found === null) return { line: null, message: words };
  return { line: Number(found[1]), message: words.slice(found[0].length) };
}

function describeEnd(end: ChildEnd): string {
  if (end.signal !== null) return `ipset was ended by ${end.signal}`;
  return `ipset ended with status ${end.exitCode ?? 'unknown'} and said nothing`;
}
