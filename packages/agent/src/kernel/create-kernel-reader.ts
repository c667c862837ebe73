import {
  type Anomaly,
  type ListedSet,
  parseNames,
  protocolWarnings,
  type SaveHandlers,
  SaveParser,
  type SetName,
} from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { Launcher } from '../launcher/launcher-client.ts';
import { IPSET_ENVIRONMENT } from './ipset-environment.ts';
import type { KernelReader, ReadFault, Reading, UnreadableSet } from './kernel-reader.ts';
import { Listing, ParsedHeaders, type ParsedList } from './parsed-headers.ts';
import { readFault } from './read-fault.ts';
import { readRunningDumps } from './running-dumps.ts';

export interface KernelReaderOptions {
  readonly launcher: Launcher;
  readonly clock: Pick<Clock, 'now'>;
  /** Absolute path of ipset. */
  readonly ipsetPath: string;
  readonly timeoutSeconds: number;
}

/** A reader over the launcher's children. Each question is one process, but for the per-set fallback. */
export function createKernelReader(options: KernelReaderOptions): KernelReader {
  const run = (args: readonly string[], onStdout: (chunk: Uint8Array) => void): Promise<Output> =>
    runIpset(options, args, onStdout);
  const names = (): Promise<Answer<readonly SetName[]>> => readNames(run);
  const parsed = new ParsedHeaders();
  const whole = (): Promise<Answer<readonly ListedSet[]>> => readWhole(run, parsed);
  const one = (name: SetName): Promise<Answer<readonly ListedSet[]>> => readOne(run, name);

  /** Headers set by set: one unreadable set takes no other with it. `ofMissing`: why a name may be no set's; absent: it is gone meanwhile. */
  const headersOneByOne = async (
    ofMissing?: string,
  ): Promise<Answer<readonly ListedSet[]> & { unreadable: readonly UnreadableSet[]; garbled: number }> => {
    const unreadable: UnreadableSet[] = [];
    const all = await names();
    if (!all.ok) return { ...all, unreadable, garbled: 0 };
    let garbled = 0;
    const sets: ListedSet[] = [];
    for (const name of all.value) {
      if (!isArgument(name)) {
        unreadable.push({ name, message: 'The name of this set cannot be spelled as an argument of ipset' });
        continue;
      }
      const answer = await one(name);
      if (!answer.ok && answer.fault.code === 'unparsable') garbled++;
      if (answer.ok) sets.push(...answer.value);
      else if (answer.fault.code !== 'set-missing') unreadable.push({ name, message: answer.fault.message });
      else if (ofMissing !== undefined) unreadable.push({ name, message: ofMissing });
    }
    return { ok: true, value: sets, warnings: all.warnings, unreadable, garbled };
  };

  const headers = async (): Promise<Answer<readonly ListedSet[]> & { unreadable?: readonly UnreadableSet[] }> => {
    const answer = await whole();
    if (!answer.ok && answer.fault.code === 'revision') return headersOneByOne();
    if (!answer.ok && answer.fault.code === 'unparsable') {
      // Somebody's set with a newline in its name must not hide all others. An ipset that prints nonsense of each set is no case of that.
      const apart = await headersOneByOne(NEWLINE_IN_NAME);
      return apart.ok && (apart.value.length > 0 || apart.garbled === 0) ? apart : answer;
    }
    if (!answer.ok) return answer;
    if (answer.value.length > 0) return answer;
    // Nothing at all is believed only if the names say so too: wrong namespaces and broken binaries print nothing.
    const all = await names();
    if (!all.ok) return all;
    return all.value.length === 0 ? answer : { ok: false, fault: emptyWhileNames(all.value.length) };
  };

  const members = async (
    args: readonly string[],
    visitor: SaveHandlers,
  ): Promise<Answer<{ sets: number; members: number }>> => {
    const anomalies: Anomaly[] = [];
    const count = { sets: 0, members: 0 };
    const parser = new SaveParser(counting(visitor, count, anomalies));
    const output = await run(['save', ...args], (chunk) => parser.push(chunk));
    parser.end();
    const fault = readFault(output.exit, output.stderr, anomalies, count.sets > 0);
    return fault === null
      ? { ok: true, value: count, warnings: protocolWarnings(output.stderr) }
      : { ok: false, fault };
  };

  const timed = async <T>(
    read: () => Promise<Answer<T> & { unreadable?: readonly UnreadableSet[] }>,
  ): Promise<Reading<T>> => {
    const at = options.clock.now();
    const answer = await read();
    return { ...answer, at };
  };

  return {
    headers: () => timed(headers),
    header: (name) =>
      timed(async () => {
        if (!isArgument(name)) return { ok: false, fault: unspeakable(name) };
        const answer = await one(name);
        if (!answer.ok) return answer;
        const [set] = answer.value;
        if (set === undefined) return { ok: false, fault: saidNothing(name) };
        return { ok: true, value: set, warnings: answer.warnings };
      }),
    members: (name, visitor) =>
      timed(async () => {
        if (!isArgument(name)) return { ok: false, fault: unspeakable(name) };
        const answer = await members([name], visitor);
        return answer.ok && answer.value.sets === 0 ? { ok: false, fault: saidNothing(name) } : answer;
      }),
    everything: (visitor) =>
      timed(async () => {
        // The headers first: they tell, before a visitor has seen anything, whether all sets can be read in one go.
        const seen = await headers();
        if (!seen.ok) return seen;
        if (seen.unreadable === undefined) {
          const whole = await members([], visitor);
          if (!whole.ok) return whole;
          if (whole.value.sets === 0 && seen.value.length > 0)
            return { ok: false, fault: emptyWhileNames(seen.value.length) };
          return whole;
        }
        const total = { sets: 0, members: 0 };
        const unreadable = [...seen.unreadable];
        for (const { header } of seen.value) {
          const one = await members([header.name], visitor);
          if (one.ok) {
            total.sets += one.value.sets;
            total.members += one.value.members;
          } else if (one.fault.code !== 'set-missing') {
            unreadable.push({ name: header.name, message: one.fault.message });
          }
        }
        return { ok: true, value: total, warnings: seen.warnings, unreadable };
      }),
    dumps: () => readRunningDumps(options.launcher),
  };
}

type Answer<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly fault: ReadFault };

interface Output {
  readonly exit: {
    readonly exitCode: number | null;
    readonly signal: string | null;
    readonly spawnError?: string;
    readonly timedOut?: true;
  };
  readonly stderr: string;
}

const STDERR_MAX_BYTES = 64 * 1024;

async function runIpset(
  { launcher, ipsetPath, timeoutSeconds }: KernelReaderOptions,
  args: readonly string[],
  onStdout: (chunk: Uint8Array) => void,
): Promise<Output> {
  const stderr: Uint8Array[] = [];
  let stderrBytes = 0;
  const child = launcher.spawn({
    file: ipsetPath,
    args,
    env: IPSET_ENVIRONMENT,
    timeoutSeconds,
    onStdout,
    onStderr: (chunk) => {
      if (stderrBytes < STDERR_MAX_BYTES) stderr.push(chunk);
      stderrBytes += chunk.byteLength;
    },
  });
  child.end();
  const exit = await child.exit;
  return { exit, stderr: Buffer.concat(stderr).toString('utf8') };
}

async function readNames(run: Run): Promise<Answer<readonly SetName[]>> {
  const chunks: Uint8Array[] = [];
  const output = await run(['list', '-n'], (chunk) => chunks.push(chunk));
  const { names, anomalies } = parseNames(Buffer.concat(chunks));
  // Part of a name that holds a newline can look like another set's.
  const others = anomalies.filter(({ kind }) => kind !== 'duplicate-set');
  const fault = readFault(output.exit, output.stderr, others, names.length > 0);
  if (fault !== null) return { ok: false, fault };
  return { ok: true, value: [...new Set(names)], warnings: protocolWarnings(output.stderr) };
}

type Run = (args: readonly string[], onStdout: (chunk: Uint8Array) => void) => Promise<Output>;

async function readWhole(run: Run, parsed: ParsedHeaders): Promise<Answer<readonly ListedSet[]>> {
  const chunks: Uint8Array[] = [];
  const output = await run(['list', '-t'], (chunk) => chunks.push(chunk));
  return listingAnswer(output, await parsed.parse(chunks));
}

async function readOne(run: Run, name: SetName): Promise<Answer<readonly ListedSet[]>> {
  const listing = new Listing();
  const output = await run(['list', '-t', name], (chunk) => listing.parser.push(chunk));
  listing.parser.end();
  return listingAnswer(output, listing);
}

function listingAnswer(output: Output, { sets, anomalies, warnings }: ParsedList): Answer<readonly ListedSet[]> {
  const fault = readFault(output.exit, output.stderr, anomalies, sets.length > 0);
  if (fault !== null) return { ok: false, fault };
  return { ok: true, value: sets, warnings: [...warnings, ...protocolWarnings(output.stderr)] };
}

/** The visitor, with a count kept beside it; no anomaly passes unseen. */
function counting(visitor: SaveHandlers, count: { sets: number; members: number }, anomalies: Anomaly[]): SaveHandlers {
  const { onIpv4 } = visitor;
  return {
    onSet: (header) => {
      count.sets++;
      visitor.onSet(header);
    },
    onMember: (set, element, options) => {
      count.members++;
      visitor.onMember(set, element, options);
    },
    onAnomaly: (anomaly) => {
      anomalies.push(anomaly);
      visitor.onAnomaly(anomaly);
    },
    ...(onIpv4 === undefined
      ? {}
      : {
          onIpv4: (set, address, prefixLength) => {
            count.members++;
            onIpv4(set, address, prefixLength);
          },
        }),
  };
}

const NEWLINE_IN_NAME = 'No set has this name: it seems to be part of a name that holds a newline';

/** ipset takes options from any word, so a name that looks like one is never given to it. */
const isArgument = (name: SetName): boolean => name !== '' && !name.startsWith('-');

const emptyWhileNames = (names: number): ReadFault => ({
  code: 'empty-while-names',
  message: `ipset printed no set although ${names} ${names === 1 ? 'exists' : 'exist'}: not taken for "all sets are gone"`,
  raw: '',
});
const unspeakable = (name: SetName): ReadFault => ({
  code: 'other',
  message: `The name ${JSON.stringify(name)} cannot be spelled as an argument of ipset`,
  raw: '',
});
const saidNothing = (name: SetName): ReadFault => ({
  code: 'unparsable',
  message: `ipset ended well and printed nothing about ${JSON.stringify(name)}`,
  raw: '',
});
