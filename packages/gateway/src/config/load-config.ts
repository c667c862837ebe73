import { readFileSync } from 'node:fs';
import { type Document, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { GatewayConfig } from './gateway-config.ts';

/** A configuration that cannot be used. The message has one line for each fault, with file, line and key. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** Reads `gateway.yaml`. Throws ConfigError. */
export function loadGatewayConfig(file: string): GatewayConfig {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(`${file} cannot be read: ${cause instanceof Error ? cause.message : 'unknown'}`);
  }
  return parseGatewayConfig(text, file);
}

/** The same for text that was read already; `file` is for messages only. */
export function parseGatewayConfig(text: string, file: string): GatewayConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken !== undefined)
    throw new ConfigError(`${file}:${broken.linePos?.[0].line ?? 1}: ${broken.message.split('\n')[0] ?? 'is no YAML'}`);
  const parsed = GatewayConfig.safeParse(document.toJS({ maxAliasCount: 10 }) ?? {});
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap(faultsOf).map(({ path, reason }) => {
    const line = lineOf(path, document, lines);
    return `${file}${line === undefined ? '' : `:${line}`}: ${path.length === 0 ? '' : `${path.map(String).join('.')}: `}${reason}`;
  });
  throw new ConfigError(faults.join('\n'));
}

type Path = readonly PropertyKey[];

function faultsOf(issue: z.core.$ZodIssue): { path: Path; reason: string }[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...issue.path, key], reason: 'unknown key' }));
  return [{ path: issue.path, reason: issue.message }];
}

/** The line of a key, or of the nearest thing around it that stands in the file. */
function lineOf(path: Path, document: Document, lines: LineCounter): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (!isPair(pair)) break;
      if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0];
      node = pair.value;
    } else if (isSeq(node) && typeof step === 'number') {
      node = node.items[step];
      if (isMap(node) && node.range) offset = node.range[0];
    } else break;
  }
  return offset === undefined ? undefined : lines.linePos(offset).line;
}
