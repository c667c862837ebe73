import type { Member } from '@setkeeper/ipset';

/** What the kernel refused, and when it is asked again. `op` names the operation; times are milliseconds since 1970. */
export interface Refusal {
  readonly op: 'add' | 'del' | 'create' | 'swap' | 'destroy';
  readonly code: string;
  readonly message: string;
  readonly since: number;
  readonly attempts: number;
  readonly retryAt: number;
  /** The run that last tried. */
  readonly run: string | null;
}

/** The first pause; it doubles with every attempt. */
export const BACK_OFF_FIRST_MS = 1_000;
export const BACK_OFF_MAX_MS = 300_000;

/** The pause after so many attempts: 1 s, 2 s, 4 s ... 5 min. */
export const backOffMs = (attempts: number): number =>
  Math.min(BACK_OFF_FIRST_MS * 2 ** Math.max(0, attempts - 1), BACK_OFF_MAX_MS);

/** A refusal, or one more attempt of the same operation. */
export function refusalAfter(
  earlier: Refusal | undefined,
  now: Pick<Refusal, 'op' | 'code' | 'message' | 'run'> & { readonly at: number },
): Refusal {
  const isSame = earlier !== undefined && earlier.op === now.op;
  const attempts = isSame ? earlier.attempts + 1 : 1;
  return {
    op: now.op,
    code: now.code,
    message: now.message,
    run: now.run,
    since: isSame ? earlier.since : now.at,
    attempts,
    retryAt: now.at + backOffMs(attempts),
  };
}

const NONE: ReadonlyMap<Member, Refusal> = new Map();

/** Members of one set that the kernel refused. */
export class Parking {
  /** Null: nothing was ever refused, as in nearly every set. */
  #refusals: Map<Member, Refusal> | null = null;

  get size(): number {
    return this.#refusals?.size ?? 0;
  }

  get(member: Member): Refusal | undefined {
    return this.#refusals?.get(member);
  }

  entries(): MapIterator<[Member, Refusal]> {
    return (this.#refusals ?? NONE).entries();
  }

  park(member: Member, refusal: Refusal): void {
    this.#refusals ??= new Map();
    this.#refusals.set(member, refusal);
  }

  free(member: Member): boolean {
    return this.#refusals?.delete(member) ?? false;
  }

  clear(): void {
    this.#refusals = null;
  }

  /** Whether a member may be sent now: it is not parked, or its pause is over. */
  isDue(member: Member, now: number): boolean {
    const refusal = this.#refusals?.get(member);
    return refusal === undefined || refusal.retryAt <= now;
  }

  /** Ends the pauses of some members: what kept the kernel from taking them is over. The attempts so far still count. */
  hasten(now: number, which: (member: Member) => boolean): void {
    for (const [member, refusal] of this.#refusals ?? NONE) {
      if (which(member) && refusal.retryAt > now) this.#refusals?.set(member, { ...refusal, retryAt: now });
    }
  }

  /** When the first pause ends, or null. */
  nextRetryAt(): number | null {
    let next: number | null = null;
    for (const { retryAt } of (this.#refusals ?? NONE).values()) if (next === null || retryAt < next) next = retryAt;
    return next;
  }
}
