import type { Clock } from '../clock.ts';
import type { AuditRepository } from '../store/store.ts';

/** How often the head goes to the log while the audit grows. */
const EVERY_MS = 60_000;

/**
 * Writes the head of the audit's chain to the log at start, each minute in which it moved, and at the end: a chain that
 * was rewritten while no agent ran does not fit the log. Returns what ends it.
 */
export function logAuditHead(
  audit: AuditRepository,
  clock: Clock,
  log: (facts: { readonly entry: number; readonly hash: string }, message: string) => void,
): () => void {
  let logged = -1;
  const say = (): void => {
    const head = audit.head();
    if (head.entry === logged) return;
    logged = head.entry;
    log(head, 'audit head');
  };
  let cancel: () => void = () => {};
  const again = (): void => {
    say();
    cancel = clock.after(EVERY_MS, again);
  };
  again();
  return () => {
    cancel();
    say();
  };
}
