import type { SetName } from '@setkeeper/ipset';
import type { LauncherChild, SpawnRequest } from '../launcher/launcher-client.ts';
import { OutputTail } from './output-tail.ts';

/** How a restore child ended. */
export interface RestoreChildEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly spawnError?: string;
  readonly stderr: string;
}

/**
 * One `ipset -exist restore` process: counts the lines it was given and the acknowledgements it printed, and knows which
 * sets it has touched. `onChange` is called after every acknowledgement, write and at the end.
 */
export class RestoreChild {
  readonly acknowledgement: SetName;
  /** Every set it had a line for, with the run that had the first one: its type cache may be stale for those of earlier runs. */
  readonly touched = new Map<SetName, number>();
  /** The sets that this child had the create of in the run under way. */
  readonly primed = new Set<SetName>();
  onChange: () => void = () => undefined;
  end: RestoreChildEnd | null = null;
  /** Lines given to it so far. */
  lines = 0;
  /** Acknowledgements it printed. */
  acknowledged = 0;
  /** Acknowledgements that the run has taken notice of. */
  taken = 0;
  isInputEnded = false;
  #writes = 0;
  readonly #process: LauncherChild;
  readonly #stderr = new OutputTail();
  #partial = '';

  constructor(spawn: (request: SpawnRequest) => LauncherChild, request: SpawnRequest, acknowledgement: SetName) {
    this.acknowledgement = acknowledgement;
    this.#process = spawn({
      ...request,
      isWriter: true,
      onStdout: (chunk) => this.#takeStdout(chunk),
      onStderr: (chunk) => this.#stderr.push(chunk),
    });
    void this.#process.exit.then(({ exitCode, signal, spawnError }) => {
      this.end = { exitCode, signal, ...(spawnError === undefined ? {} : { spawnError }), stderr: this.#stderr.text() };
      this.onChange();
    });
  }

  /** Settles when the process is gone. */
  get ended(): Promise<unknown> {
    return this.#process.exit;
  }

  /** No more can be given to it now: what was given is still on its way into the pipe. */
  get isWriting(): boolean {
    return this.#writes >= WRITES_MAX;
  }

  /** Whole lines, at most 32 KiB. */
  send(text: string, lines: number): void {
    this.lines += lines;
    this.#writes++;
    const done = (): void => {
      this.#writes--;
      this.onChange();
    };
    // A refused write means that the child has ended, which its end tells better.
    this.#process.write(Buffer.from(text, 'latin1')).then(done, done);
  }

  endInput(): void {
    this.isInputEnded = true;
    this.#process.end();
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#process.kill(signal);
  }

  /** Its stdout holds nothing but acknowledgements; they are counted, not kept. */
  #takeStdout(chunk: Uint8Array): void {
    const lines = (this.#partial + Buffer.from(chunk).toString('latin1')).split('\n');
    this.#partial = (lines.pop() ?? '').slice(0, LINE_CHARACTERS_MAX);
    const before = this.acknowledged;
    for (const line of lines) if (line === this.acknowledgement) this.acknowledged++;
    if (this.acknowledged > before) this.onChange();
  }
}

const LINE_CHARACTERS_MAX = 1024;
/** Writes under way: the next lines are on their way before the pipe has taken the last. */
const WRITES_MAX = 3;
