import type { FileSignature } from './file-signature.ts';
import type { ModelParser } from './model-parser.ts';
import { type ParsedFile, unreadableFile } from './parsed-file.ts';
import { listSignature, type Walk, type WalkedFile } from './walk-model.ts';

type GoodWalk = Extract<Walk, { ok: true }>;

/** What was read for a file of the generation that stands, or of the one being read. */
interface CachedFile {
  readonly walked: FileSignature;
  readonly parsed: ParsedFile;
}

/** What a file of the standing generation was, without its content. */
interface Accepted {
  readonly walked: FileSignature;
  readonly lists: ParsedFile['lists'];
}

/** What changed against the standing generation: parsed files, and null for those that are gone. `isTorn`: a file changed while it was read. */
export interface ScanResult {
  readonly changed: ReadonlyMap<string, ParsedFile | null>;
  readonly isTorn: boolean;
}

/** Remembers what of a model directory has been read, so that unchanged files are never parsed again. */
export class ScanCache {
  readonly #accepted = new Map<string, Accepted>();
  readonly #read = new Map<string, CachedFile>();

  /** The signature of a walk with the list files that its documents name: equal exactly if there is nothing to read. */
  async fingerprint(walk: GoodWalk): Promise<string> {
    return fingerprintOf(walk, await this.#listSignatures(walk.realRoot));
  }

  /** The fingerprint of what was accepted: of the list files as they were when they were read. */
  acceptedFingerprint(walk: GoodWalk): string {
    const lists = new Map<string, FileSignature>();
    for (const accepted of this.#accepted.values()) {
      for (const { path, signature } of accepted.lists) {
        const other = lists.get(path);
        // Two documents that read two states of one list: no look can equal that, so it is read again.
        lists.set(path, other === undefined || other === signature ? signature : MIXED);
      }
    }
    return fingerprintOf(walk, lists);
  }

  /** Reads what is new or different in a walk. */
  async read(walk: GoodWalk, parser: ModelParser, known: Iterable<string>): Promise<ScanResult> {
    const changed = new Map<string, ParsedFile | null>();
    const lists = await this.#listSignatures(walk.realRoot);
    let isTorn = false;
    for (const file of walk.files.values()) {
      const accepted = this.#accepted.get(file.path);
      if (accepted !== undefined && isSame(accepted.walked, accepted.lists, file, lists)) continue;
      const parsed = await this.#parsed(walk.realRoot, file, parser, lists);
      if (file.refused === undefined && parsed.extent !== 'none' && parsed.signature !== file.signature) isTorn = true;
      changed.set(file.path, parsed);
    }
    for (const path of known) if (!walk.files.has(path)) changed.set(path, null);
    return { changed, isTorn };
  }

  /** The result stands: it is what later walks are compared with. */
  accept(walk: GoodWalk, { changed }: ScanResult): void {
    for (const [path, parsed] of changed) {
      const walked = walk.files.get(path)?.signature;
      if (parsed === null || walked === undefined) this.#accepted.delete(path);
      else this.#accepted.set(path, { walked, lists: parsed.lists });
    }
    this.#read.clear();
  }

  async #parsed(
    realRoot: string,
    file: WalkedFile,
    parser: ModelParser,
    lists: ReadonlyMap<string, FileSignature>,
  ): Promise<ParsedFile> {
    if (file.refused !== undefined) return unreadableFile(file.path, file.refused);
    const read = this.#read.get(file.path);
    if (read !== undefined && isSame(read.walked, read.parsed.lists, file, lists)) return read.parsed;
    const parsed = await parser.parse(realRoot, file.path, file.bytes);
    this.#read.set(file.path, { walked: file.signature, parsed });
    return parsed;
  }

  async #listSignatures(realRoot: string): Promise<ReadonlyMap<string, FileSignature>> {
    const paths = new Set<string>();
    for (const { lists } of this.#accepted.values()) for (const { path } of lists) paths.add(path);
    for (const { parsed } of this.#read.values()) for (const { path } of parsed.lists) paths.add(path);
    const signatures = new Map<string, FileSignature>();
    for (const path of paths) signatures.set(path, await listSignature(realRoot, path));
    return signatures;
  }
}

const MIXED = 'mixed' as FileSignature;

function fingerprintOf(walk: GoodWalk, lists: ReadonlyMap<string, FileSignature>): string {
  const parts: string[] = [walk.switchedTo];
  for (const { path, signature } of walk.files.values()) parts.push(path, signature);
  for (const path of [...lists.keys()].sort()) parts.push(path, lists.get(path) ?? '');
  return parts.join('\n');
}

const isSame = (
  walked: FileSignature,
  lists: ParsedFile['lists'],
  file: WalkedFile,
  now: ReadonlyMap<string, FileSignature>,
): boolean => walked === file.signature && lists.every(({ path, signature }) => now.get(path) === signature);
