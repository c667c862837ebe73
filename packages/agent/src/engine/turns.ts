import type { EnginePorts } from './ports.ts';

/** Work goes on so long before others have their turn. */
const SLICE_MS = 8;

/** Lets the event loop breathe inside long work that keeps the model still. */
export class Turns {
  readonly #ports: Pick<EnginePorts, 'clock' | 'turn'>;
  #until: number;

  constructor(ports: Pick<EnginePorts, 'clock' | 'turn'>) {
    this.#ports = ports;
    this.#until = ports.clock.monotonic() + SLICE_MS;
  }

  /** Null while there is time left, else a promise to await. */
  due(): Promise<void> | null {
    const { clock, turn } = this.#ports;
    if (clock.monotonic() < this.#until) return null;
    return turn().then(() => {
      this.#until = clock.monotonic() + SLICE_MS;
    });
  }
}
