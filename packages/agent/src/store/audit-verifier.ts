import { CHAIN_START, chainHash } from './audit-chain.ts';
import { createIndexCheck, indexedLine } from './audit-index.ts';
import type { Database } from './database.ts';
import { number, numberOrNull, text } from './row.ts';
import type { AuditVerdict } from './store.ts';

/** Lines checked before other work gets its turn: some milliseconds. */
const LINES_A_TURN = 1_000;

/**
 * Walks the chain from its anchor to the head that the running agent knows; so a line changed, removed, added or put
 * elsewhere is found, and so is a chain that was rewritten whole behind the agent's back. A chain rewritten while no
 * agent ran is found by comparing its head with the log. `head.hash` null: only the number is known (lines wait for room).
 */
export async function verifyAudit(
  database: Database,
  head: { readonly seq: number; readonly hash: string | null },
  turn: () => Promise<unknown>,
): Promise<AuditVerdict> {
  const anchor = database.get('SELECT seq, hash FROM audit_anchor');
  let seq = anchor === undefined ? 0 : number(anchor, 'seq');
  let hash = anchor === undefined ? CHAIN_START : text(anchor, 'hash');
  const indexFault = createIndexCheck(seq);
  // Said only if every line is there and as it was written: otherwise that is what matters.
  let misshown: { readonly at: number; readonly fault: string } | null = null;
  let entries = 0;
  const broken = (at: number, detail: string): AuditVerdict => ({
    ok: false,
    entries,
    head: hash,
    brokenAt: String(at),
    detail,
  });

  const newest = numberOrNull(database.get('SELECT max(seq) AS seq FROM audit') ?? {}, 'seq') ?? seq;
  if (newest > head.seq) return broken(head.seq + 1, `Line ${head.seq + 1} was not written by this agent.`);

  while (seq < head.seq) {
    const rows = database.all(
      `SELECT ${indexedLine.columns} FROM audit ${indexedLine.joins}
       WHERE audit.seq > ? AND audit.seq <= ? ORDER BY audit.seq LIMIT ?`,
      seq,
      head.seq,
      LINES_A_TURN,
    );
    if (rows.length === 0) return broken(seq + 1, `Lines ${seq + 1} to ${head.seq} are missing.`);
    for (const row of rows) {
      const found = number(row, 'seq');
      if (found !== seq + 1) return broken(seq + 1, `Line ${seq + 1} is missing.`);
      const entry = text(row, 'entry');
      const expected = chainHash(hash, found, entry);
      if (expected !== text(row, 'hash')) return broken(found, `Line ${found} is not the line that was written.`);
      const fault: string | null = misshown === null ? indexFault(row) : null;
      if (fault !== null) misshown = { at: found, fault };
      seq = found;
      hash = expected;
      entries += 1;
    }
    await turn();
  }
  if (head.hash !== null && head.hash !== hash)
    return broken(head.seq, 'The whole chain was rewritten: its head is not the one that this agent wrote.');
  if (misshown !== null) return broken(misshown.at, misshown.fault);
  return {
    ok: true,
    entries,
    head: hash,
    detail: `${entries} lines are as they were written. Compare the head with the newest in the log.`,
  };
}
