import type { AgentEvent } from '@setkeeper/api';

type Told = Omit<AgentEvent, 'id' | 'at'>;

/** The invented agent's event stream: a ring of 1,000, resumed by id, `reset` for an unknown one. */
export class MockEvents {
  readonly epoch = Math.random().toString(36).slice(2, 8);
  #seq = 0;
  readonly #ring: AgentEvent[] = [];
  readonly #waiting = new Set<() => void>();

  emit(told: Told): void {
    this.#seq += 1;
    this.#ring.push({ ...told, id: `${this.epoch}-${this.#seq}`, at: new Date().toISOString() });
    if (this.#ring.length > 1_000) this.#ring.shift();
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async *watch(lastEventId: string | undefined, signal: AbortSignal | undefined): AsyncGenerator<AgentEvent> {
    const [epoch, seqText] = (lastEventId ?? '').split('-');
    let seq = epoch === this.epoch ? Number(seqText) : this.#seq;
    if (epoch !== this.epoch) yield { id: `${this.epoch}-${this.#seq}`, at: new Date().toISOString(), type: 'reset' };
    while (signal?.aborted !== true) {
      for (const event of this.#ring.filter((one) => Number(one.id.split('-')[1]) > seq)) {
        seq = Number(event.id.split('-')[1]);
        yield event;
      }
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }
}
