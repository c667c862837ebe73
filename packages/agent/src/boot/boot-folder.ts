import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SetName } from '@setkeeper/ipset';
import { isBootFileName } from './boot-layout.ts';
import type { TextSink } from './write-acknowledged.ts';

/** The last line of a whole file: what was cut short does not have it. `setkeeper-boot` looks for it. */
const END = '# end\n';
/** Read by root at boot and by nobody else. */
const FOLDER_MODE = 0o750;
const FILE_MODE = 0o640;

/** The folder of boot files. Every method throws what the file system throws. */
export class BootFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Our files that are there, with the sets in them in their order. O(bytes). Makes the folder if there is none. */
  async find(): Promise<ReadonlyMap<string, readonly SetName[]>> {
    await mkdir(this.#path, { recursive: true, mode: FOLDER_MODE });
    const found = new Map<string, readonly SetName[]>();
    for (const file of (await readdir(this.#path)).filter(isBootFileName).sort()) {
      const text = await readFile(join(this.#path, file), 'latin1');
      found.set(
        file,
        [...text.matchAll(CREATE)].map(([, name = '']) => name as SetName),
      );
    }
    return found;
  }

  /** The lines of some sets as they stand in a file now; none for a set that is not in it, or if there is no file. */
  async linesOf(file: string, sets: ReadonlySet<SetName>): Promise<ReadonlyMap<SetName, string>> {
    const lines = new Map<SetName, string>();
    const text = await readFile(join(this.#path, file), 'latin1').catch((error: unknown) => {
      if (isMissing(error)) return '';
      throw error;
    });
    const creates = [...text.matchAll(CREATE)];
    for (const [i, match] of creates.entries()) {
      const name = match[1] as SetName;
      const end = creates[i + 1]?.index ?? (text.endsWith(END) ? text.length - END.length : text.length);
      if (sets.has(name)) lines.set(name, text.slice(match.index, end));
    }
    return lines;
  }

  /** Writes a file beside the old one and puts it in its place: whoever reads sees the old one or the new one, after a power cut too. */
  async write(file: string, fill: (sink: TextSink) => Promise<void>): Promise<void> {
    const temporary = join(this.#path, `.${file}.new`);
    const handle = await open(temporary, 'w', FILE_MODE);
    try {
      const sink = new FileSink(handle);
      await fill(sink);
      await sink.write(END);
      await sink.flush();
      await handle.sync();
    } catch (error) {
      await handle.close();
      await rm(temporary, { force: true });
      throw error;
    }
    await handle.close();
    await rename(temporary, join(this.#path, file));
  }

  /** Takes away every file of ours that is not among these, and what a killed agent left half written. */
  async keepOnly(files: readonly string[]): Promise<void> {
    const kept = new Set(files);
    for (const file of await readdir(this.#path)) {
      const isOurs = isBootFileName(file) || (HALF_WRITTEN.test(file) && isBootFileName(file.slice(1, -'.new'.length)));
      if (isOurs && !kept.has(file)) await rm(join(this.#path, file), { force: true });
    }
    const folder = await open(this.#path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}

/** Bytes gathered before they are written. */
const GATHERED_MAX = 65_536;

/** Restore text is ASCII: a character is a byte. */
class FileSink implements TextSink {
  readonly #handle: FileHandle;
  #written = 0;
  #gathered = '';

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(text: string): Promise<void> {
    this.#gathered += text;
    if (this.#gathered.length >= GATHERED_MAX) await this.flush();
  }

  mark(): number {
    return this.#written + this.#gathered.length;
  }

  async rewind(mark: number): Promise<void> {
    if (mark >= this.#written) {
      this.#gathered = this.#gathered.slice(0, mark - this.#written);
      return;
    }
    this.#gathered = '';
    this.#written = mark;
    await this.#handle.truncate(mark);
  }

  async flush(): Promise<void> {
    const bytes = Buffer.from(this.#gathered, 'latin1');
    this.#gathered = '';
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, at, bytes.length - at, this.#written);
      at += bytesWritten;
      this.#written += bytesWritten;
    }
  }
}

const CREATE = /^create (\S+) /gmu;
const HALF_WRITTEN = /^\..+\.new$/u;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
