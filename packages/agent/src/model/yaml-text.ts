import { Composer, isAlias, isMap, isScalar, isSeq, type ParsedNode, Parser, type YAMLMap } from 'yaml';
import type { DocumentEntry, DocumentNode, ReadDocuments, SyntaxFault } from './document-node.ts';
import { MODEL_LIMITS } from './limits.ts';

/**
 * Reads the documents of a YAML 1.2 text. Linear: duplicate keys are left to whoever reads the mappings (the library's
 * own check is quadratic), and aliases share the node that they name, so that no text grows by being read.
 */
export function readYaml(text: string): ReadDocuments {
  const documents: DocumentNode[] = [];
  const composer = new Composer({
    uniqueKeys: false,
    merge: false,
    schema: 'core',
    logLevel: 'silent',
    prettyErrors: false,
  });
  try {
    for (const document of composer.compose(new Parser().parse(text), true, text.length)) {
      // An endless key is read all the same: it is the fault of one object, and the others of the file stand.
      const error = document.errors.find(({ code }) => code !== 'KEY_OVER_1024_CHARS');
      if (error !== undefined) return { ok: false, fault: { at: error.pos[0], reason: sentence(error.message) } };
      if (document.contents === null) continue;
      const anchors = new Map<string, DocumentNode | null>();
      const root = convert(document.contents as ParsedNode, anchors, 0);
      if (root.kind !== 'null') documents.push(root);
    }
  } catch (error) {
    if (error instanceof YamlFault) return { ok: false, fault: error.fault };
    if (error instanceof RangeError) return { ok: false, fault: { at: 0, reason: 'is nested too deeply' } };
    throw error;
  }
  return { ok: true, documents };
}

class YamlFault extends Error {
  readonly fault: SyntaxFault;
  constructor(at: number, reason: string) {
    super(reason);
    this.fault = { at, reason };
  }
}

/** The library's message on one line; it reports its own exhausted stack as a message, too. */
const sentence = (message: string): string =>
  message.startsWith('Maximum call stack') ? 'is nested too deeply' : message.replace(/\s+/gu, ' ').trim();

function convert(
  node: ParsedNode | null,
  anchors: Map<string, DocumentNode | null>,
  depth: number,
  fallbackAt = 0,
): DocumentNode {
  if (node === null) return { kind: 'null', at: fallbackAt };
  const at = node.range[0];
  if (depth > MODEL_LIMITS.depthMax) throw new YamlFault(at, `is nested deeper than ${MODEL_LIMITS.depthMax} levels`);
  if (isAlias(node)) return aliased(node.source, at, anchors);
  if (node.tag !== undefined && !TAGS_TAKEN.has(node.tag))
    throw new YamlFault(at, `the YAML tag ${node.tag} has no meaning in a model`);
  if (node.anchor !== undefined) anchors.set(node.anchor, null);
  const converted = convertContent(node, at, anchors, depth);
  if (node.anchor !== undefined) anchors.set(node.anchor, converted);
  return converted;
}

const TAGS_TAKEN: ReadonlySet<string> = new Set(
  ['str', 'map', 'seq', 'null', 'int', 'bool'].map((name) => `tag:yaml.org,2002:${name}`),
);

function aliased(name: string, at: number, anchors: ReadonlyMap<string, DocumentNode | null>): DocumentNode {
  const target = anchors.get(name);
  if (target === undefined) throw new YamlFault(at, `the alias *${name} names no anchor before it`);
  if (target === null) throw new YamlFault(at, `the alias *${name} stands inside what it names`);
  return target;
}

function convertContent(
  node: ParsedNode,
  at: number,
  anchors: Map<string, DocumentNode | null>,
  depth: number,
): DocumentNode {
  if (isScalar(node)) {
    if (node.value === null) return { kind: 'null', at };
    const isPlain = node.type === 'PLAIN';
    return { kind: 'scalar', at, isPlain, text: isPlain ? (node.source ?? '') : String(node.value) };
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => convert(item as ParsedNode | null, anchors, depth + 1, at));
    return { kind: 'list', at, items };
  }
  if (isMap(node)) return { kind: 'map', at, entries: entriesOf(node, anchors, depth) };
  throw new YamlFault(at, 'is neither a mapping, a list nor a value');
}

function entriesOf(map: YAMLMap, anchors: Map<string, DocumentNode | null>, depth: number): readonly DocumentEntry[] {
  return map.items.map((pair) => {
    const keyNode = pair.key as ParsedNode | null;
    const at = keyNode?.range[0] ?? map.range?.[0] ?? 0;
    const key = keyOf(keyNode, at, anchors, depth);
    return { key, at, value: convert(pair.value as ParsedNode | null, anchors, depth + 1, at) };
  });
}

/** A key's text as written: `~:` is the key "~", `1e3:` the key "1e3". */
function keyOf(node: ParsedNode | null, at: number, anchors: Map<string, DocumentNode | null>, depth: number): string {
  if (isScalar(node) && node.value === null) return node.source ?? '';
  const key = convert(node, anchors, depth + 1, at);
  if (key.kind === 'scalar') return key.text;
  if (key.kind === 'null') return '';
  throw new YamlFault(at, 'a key is text, not a mapping or a list');
}
