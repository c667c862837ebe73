import { type Document, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { AgentConfig } from './agent-config.ts';

/** One thing that is wrong in a configuration file. `line` counts from 1; null where the file has no such place. */
export interface ConfigFault {
  readonly key: string;
  readonly line: number | null;
  readonly reason: string;
}

/** A configuration file that cannot be used: all that is wrong with it, in the order of its lines. */
export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[];

  constructor(file: string, faults: readonly ConfigFault[]) {
    super(faults.map((fault) => sentence(file, fault)).join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Reads the text of `agent.yaml` (CONTRACT section 2). Every key is optional; an unknown one is an error that names key and line. Throws ConfigError. */
export function parseAgentConfig(text: string, file: string): AgentConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true, uniqueKeys: true });
  if (document.errors.length > 0)
    throw new ConfigError(
      file,
      document.errors.map((error) => ({
        key: '',
        line: error.linePos?.[0].line ?? null,
        reason: error.message.split('\n')[0] ?? 'is no YAML',
      })),
    );
  const parsed = AgentConfig.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue) => faultsOf(issue, document, lines));
  throw new ConfigError(
    file,
    faults.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
  );
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function faultsOf(issue: Issue, document: Document, lines: LineCounter, above: Path = []): readonly ConfigFault[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => faultAt([...path, key], `unknown key`, document, lines));
  if (issue.code === 'invalid_union') {
    // The alternative that fits best is the one meant: the one whose faults lie deepest, then the one with the fewest.
    const best = issue.errors.toSorted((one, other) => depth(other) - depth(one) || one.length - other.length)[0];
    const inner = (best ?? []).flatMap((cause) => faultsOf(cause, document, lines, path));
    if (inner.length > 0) return inner;
  }
  return [faultAt(path, issue.message, document, lines)];
}

const depth = (issues: readonly Issue[]): number => Math.max(0, ...issues.map(({ path }) => path.length));

function faultAt(path: Path, reason: string, document: Document, lines: LineCounter): ConfigFault {
  return { key: path.map(String).join('.'), line: lineOf(path, document, lines), reason };
}

/** The line of a key, or of the nearest thing around it that stands in the file. */
function lineOf(path: Path, document: Document, lines: LineCounter): number | null {
  for (let length = path.length; length > 0; length -= 1) {
    const offset = offsetOf(path.slice(0, length), document);
    if (offset !== null) return lines.linePos(offset).line;
  }
  return null;
}

function offsetOf(path: Path, document: Document): number | null {
  const last = path.at(-1);
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isCollection(parent)) return null;
  const item = parent.items.find((candidate, index) =>
    isPair(candidate) ? scalarOf(candidate.key) === last : index === last,
  );
  if (item === undefined) return null;
  const node = isPair(item) ? item.key : item;
  return hasRange(node) ? node.range[0] : null;
}

const isCollection = (node: unknown): node is { readonly items: readonly unknown[] } =>
  typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items);
const isPair = (node: unknown): node is { readonly key: unknown } =>
  typeof node === 'object' && node !== null && 'key' in node && 'value' in node && !('items' in node);
const scalarOf = (node: unknown): unknown =>
  typeof node === 'object' && node !== null && 'value' in node ? node.value : node;
const hasRange = (node: unknown): node is { readonly range: readonly [number, number, number] } =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);

function sentence(file: string, { key, line, reason }: ConfigFault): string {
  const place = line === null ? file : `${file}:${line}`;
  return key === '' ? `${place}: ${reason}` : `${place}: ${key}: ${reason}`;
}
