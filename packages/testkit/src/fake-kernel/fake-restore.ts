import type { FakeKernel } from './fake-kernel.ts';
import { type ElementRequest, parseElement } from './ipset-element.ts';
import { IpsetError, kernelError, syntaxError, usageError, WORDS } from './ipset-error.ts';
import { createParameters, elementExtensions, type GivenExtensions } from './ipset-options.ts';
import { saveText, terseText } from './ipset-output.ts';
import { commandNamed, type IpsetCommand, type StickyFlags, takeFlags, wordsOf } from './ipset-words.ts';

/** About what fits into one netlink message of 4096 bytes. */
const BUFFERED_MAX = 110;
const LINE_BYTES_MAX = 1023;
const NAME_MAX = 31;
const KNOWN_TYPES: ReadonlySet<string> = new Set([
  'hash:ip',
  'hash:net',
  'hash:ip,port',
  'hash:net,port',
  'hash:net,iface',
  'hash:mac',
  'hash:ip,mac',
  'hash:ip,mark',
  'hash:net,net',
  'hash:ip,port,ip',
  'hash:ip,port,net',
  'hash:net,port,net',
  'bitmap:ip',
  'bitmap:ip,mac',
  'bitmap:port',
  'list:set',
]);
const VERSION = '7.17';

interface Buffered {
  readonly line: number;
  readonly command: 'add' | 'del';
  readonly set: string;
  readonly request: ElementRequest;
  readonly given: GivenExtensions;
}

/** What this process believes of a set, right or wrong. */
interface Belief {
  readonly type: string;
  readonly family: 'inet' | 'inet6' | null;
}

/**
 * One `ipset restore` process on a fake kernel, line by line, with what makes the real one hard to trust: adds and dels
 * of one set are buffered and lost when ipset itself finds an error before they are sent; errors of the kernel come late,
 * with the number of their line; some errors have no number; and what it believes of a set's type goes stale.
 */
export class FakeRestore {
  readonly #kernel: FakeKernel;
  readonly #flags: StickyFlags;
  readonly #beliefs = new Map<string, Belief>();
  #buffer: Buffered[] = [];
  #line = 0;
  #stdout = '';
  #stderr = '';
  #exitCode: number | null = null;

  constructor(kernel: FakeKernel, args: readonly string[] = []) {
    this.#kernel = kernel;
    this.#flags = { exist: false, names: false, terse: false };
    takeFlags(args, this.#flags);
  }

  /** Null while it goes on. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  get line(): number {
    return this.#line;
  }

  /** Takes what it has printed since the last call. */
  takeOutput(): { readonly stdout: string; readonly stderr: string } {
    const output = { stdout: this.#stdout, stderr: this.#stderr };
    this.#stdout = '';
    this.#stderr = '';
    return output;
  }

  /** One line of input, without its newline. Lines after its end are not read. */
  take(line: string): void {
    for (let rest = line; this.#exitCode === null; rest = rest.slice(LINE_BYTES_MAX)) {
      this.#line++;
      this.#guard(() => this.#run(rest.slice(0, LINE_BYTES_MAX)));
      if (rest.length <= LINE_BYTES_MAX) return;
    }
  }

  /** The end of the input: what is buffered is sent. */
  end(): number {
    if (this.#exitCode === null) this.#guard(() => this.#flush());
    this.#exitCode ??= 0;
    return this.#exitCode;
  }

  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof IpsetError)) throw error;
      this.#fail(error, error instanceof LateError ? error.line : this.#line);
    }
  }

  #fail({ kind, message }: IpsetError, line: number): void {
    const place = kind === 'kernel' || kind === 'syntax' ? `Error in line ${line}: ` : '';
    this.#stderr += `ipset v${VERSION}: ${place}${message}\n`;
    this.#exitCode = kind === 'usage' ? 2 : 1;
  }

  #run(line: string): void {
    // What C calls white space: a byte-order mark is none.
    const text = line.replace(/^[ \t\n\v\f\r]+/, '');
    if (text === '' || text.startsWith('#')) return;
    if (text.trimEnd() === 'COMMIT') {
      this.#flush();
      return;
    }
    const [word = '', ...args] = takeFlags(wordsOf(text), this.#flags);
    if (word === 'quit' || word === '-') {
      this.#exitCode = 0;
      return;
    }
    const command = commandNamed(word);
    if (word === '' || command === null) throw usageError(`No command specified: unknown argument ${word}`);
    this.#command(command, args);
  }

  #command(command: IpsetCommand, args: readonly string[]): void {
    switch (command) {
      case 'create':
        this.#create(args);
        break;
      case 'add':
      case 'del':
        this.#element(command, args);
        break;
      case 'test':
        this.#test(args);
        break;
      case 'destroy':
        this.#destroy(this.#optionalName(args));
        break;
      case 'flush':
        this.#flush();
        this.#kernel.flush(this.#optionalName(args));
        break;
      case 'swap':
      case 'rename':
        this.#pair(command, args);
        break;
      case 'list':
      case 'save':
        this.#list(command, this.#optionalName(args));
        break;
      case 'restore':
      case 'version':
      case 'help':
        throw usageError(`Command \`${command}' is invalid in restore mode.`);
    }
  }

  #destroy(name: string | null): void {
    this.#flush();
    this.#kernel.destroy(name, this.#flags.exist);
    if (name === null) this.#beliefs.clear();
    else this.#beliefs.delete(name);
  }

  #create(args: readonly string[]): void {
    const [name, type, ...words] = this.#two('create', args);
    checkName(name);
    if (!KNOWN_TYPES.has(type)) throw syntaxError(`typename '${type}' is unknown`);
    if (this.#kernel.faults.missingTypes.has(type)) throw kernelError(WORDS.typeUnsupported);
    const parameters = createParameters(type, words);
    this.#flush();
    this.#kernel.create(name, type, parameters, this.#flags.exist);
    this.#beliefs.set(name, { type, family: parameters.family });
  }

  #element(command: 'add' | 'del', args: readonly string[]): void {
    const [name, element, ...words] = this.#two(command, args);
    checkName(name);
    const belief = this.#believe(name);
    const request = parseElement(belief.type, belief.family ?? 'inet', element);
    const given = elementExtensions(command, belief.type, words);
    const last = this.#buffer.at(-1);
    const joins = last !== undefined && last.set === name && last.command === command;
    if (!joins || this.#buffer.length >= BUFFERED_MAX) this.#flush();
    this.#buffer.push({ line: this.#line, command, set: name, request, given });
  }

  #test(args: readonly string[]): void {
    const [name, element] = this.#two('test', args);
    const belief = this.#believe(name);
    const request = parseElement(belief.type, belief.family ?? 'inet', element);
    this.#flush();
    const isIn = this.#kernel.test(name, request);
    // A hit is only a warning; a miss ends the restore, and no line is named.
    this.#stderr += isIn ? `Warning: ${element} is in set ${name}.\n` : `${element} is NOT in set ${name}.\n`;
    if (!isIn) this.#exitCode = 1;
  }

  #pair(command: 'swap' | 'rename', args: readonly string[]): void {
    const [from, to] = this.#two(command, args);
    this.#flush();
    this.#kernel[command](from, to);
    const one = this.#beliefs.get(from);
    const other = this.#beliefs.get(to);
    this.#beliefs.delete(from);
    this.#beliefs.delete(to);
    if (one !== undefined) this.#beliefs.set(to, one);
    if (command === 'swap' && other !== undefined) this.#beliefs.set(from, other);
  }

  #list(command: 'list' | 'save', name: string | null): void {
    this.#flush();
    const sets = name === null ? [...this.#kernel.sets.values()] : [this.#kernel.header(name)];
    if (command === 'save') this.#stdout += saveText(sets);
    else if (this.#flags.names) this.#stdout += sets.map((set) => `${set.name}\n`).join('');
    else this.#stdout += terseText(sets, this.#kernel, { isTerse: this.#flags.terse });
  }

  /** What the process believes of a set: what it saw first, until it is told otherwise. */
  #believe(name: string): Belief {
    const known = this.#beliefs.get(name);
    if (known !== undefined) return known;
    const set = this.#kernel.sets.get(name);
    // Found by ipset itself, before the buffer is sent.
    if (set === undefined) throw new IpsetError('syntax', WORDS.missing);
    const belief = { type: set.type, family: set.parameters.family };
    this.#beliefs.set(name, belief);
    return belief;
  }

  /** Sends the buffer: elements before the one that the kernel refuses are in. */
  #flush(): void {
    const buffer = this.#buffer;
    this.#buffer = [];
    for (const { line, command, set, request, given } of buffer) {
      try {
        if (command === 'add') this.#kernel.add(set, request, given, this.#flags.exist);
        else this.#kernel.del(set, request, this.#flags.exist);
      } catch (error) {
        throw error instanceof IpsetError ? new LateError(error, line) : error;
      }
    }
  }

  #two(command: string, args: readonly string[]): readonly [string, string, ...string[]] {
    const [first, second, ...rest] = args;
    if (first === undefined) throw usageError(`Missing mandatory argument to command ${command}`);
    if (second === undefined) throw usageError(`Missing second mandatory argument to command ${command}`);
    return [first, second, ...rest];
  }

  #optionalName(args: readonly string[]): string | null {
    if (args[1] !== undefined) throw usageError(`Unknown argument ${args[1]}`);
    return args[0] ?? null;
  }
}

/** A refusal of the kernel that belongs to an earlier line than the one being read. */
class LateError extends IpsetError {
  readonly line: number;

  constructor({ kind, message }: IpsetError, line: number) {
    super(kind, message);
    this.line = line;
  }
}

function checkName(name: string): void {
  if (Buffer.byteLength(name) > NAME_MAX) throw syntaxError(`setname '${name}' is longer than ${NAME_MAX} characters`);
}
