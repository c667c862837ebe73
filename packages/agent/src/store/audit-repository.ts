import type { SQLInputValue } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { AuditEntry } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import { type AuditLine, CHAIN_START, chainHash } from './audit-chain.ts';
import { searchedText } from './audit-index.ts';
import { verifyAudit } from './audit-verifier.ts';
import type { Database, Row } from './database.ts';
import { cursorBelow, likeAnywhere, parseCursor } from './page-cursor.ts';
import { number, text } from './row.ts';
import type { AuditRepository } from './store.ts';
import { StoreFault } from './store-fault.ts';

export interface TolerantAudit extends AuditRepository {
  /** Writes again what the disk refused. True when nothing is waiting any more. */
  writeWaiting(): boolean;
  /** Cuts the oldest lines: those from before `oldest` (milliseconds since 1970), and what is over `bytesMax`. At most `linesMax` a call; true if more is to be cut. */
  cut(limits: { readonly oldest: number; readonly bytesMax: number; readonly linesMax: number }): boolean;
}

/** Lines that wait in memory while the disk is full; more are counted and said in a `gap` line. */
const WAITING_MAX = 2_000;
/** The number of a line that could not be kept; lines begin with 1. */
const NOT_KEPT = 0;

interface WaitingLine {
  readonly seq: number;
  readonly line: AuditLine;
  readonly entry: string;
  readonly hash: string;
}

/** The audit on a database. `onPaused` is told when the disk takes no line. */
export function createAuditRepository(
  database: Database,
  clock: Clock,
  onPaused: (fault: StoreFault) => void,
): TolerantAudit {
  let head = headOf(database);
  let bytes = number(database.get('SELECT coalesce(sum(length(entry)), 0) AS n FROM audit') ?? {}, 'n');
  let waiting: WaitingLine[] = [];
  let lost = 0;

  const iso = (): string => new Date(clock.now()).toISOString();

  /** Puts a line on the chain, and returns its number. It survives the death of the process, unless the disk is full. */
  const append = (line: AuditLine): number => {
    if (waiting.length >= WAITING_MAX) {
      lost += 1;
      return NOT_KEPT;
    }
    const seq = head.seq + 1;
    const entry = JSON.stringify(line);
    head = { seq, hash: chainHash(head.hash, seq, entry) };
    waiting.push({ seq, line, entry, hash: head.hash });
    writeWaiting();
    return seq;
  };

  const writeWaiting = (): boolean => {
    if (waiting.length === 0) return true;
    try {
      database.transaction(() => {
        for (const line of waiting) insert(database, line);
      });
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      onPaused(error);
      return false;
    }
    bytes += waiting.reduce((sum, { entry }) => sum + entry.length, 0);
    waiting = [];
    if (lost > 0) {
      const gap = lost;
      lost = 0;
      append({ kind: 'gap', at: iso(), lost: gap });
    }
    return waiting.length === 0;
  };

  return {
    begin: (entry) =>
      String(
        append({
          kind: 'intent',
          at: entry.at,
          actor: entry.actor,
          role: entry.role,
          ...(entry.claimed === undefined ? {} : { claimed: entry.claimed }),
          verb: entry.verb,
          input: entry.input,
          via: entry.via,
          requestId: entry.requestId,
        }),
      ),

    finish: async (id, result, durationMs) => {
      const of = Number(id);
      const line: AuditLine =
        of === NOT_KEPT ? { kind: 'gap', at: iso(), lost: 1 } : { kind: 'result', at: iso(), of, result, durationMs };
      append(line);
      // With the result everything that the act wrote before it is on the disk, its intent first. Nobody but who asked waits.
      if (waiting.length > 0) return;
      await database.flush().catch((error: unknown) => {
        if (!isClosed(error)) onPaused(notFlushed(error, database.path));
      });
    },

    list: (filter) => list(database, filter),

    verify: () => verifyAudit(database, { seq: head.seq - waiting.length, hash: hashBefore(waiting, head) }, turn),

    interruptOpen: () => {
      const open = database.all('SELECT seq FROM audit_act WHERE result IS NULL ORDER BY seq');
      for (const row of open)
        append({ kind: 'result', at: iso(), of: number(row, 'seq'), result: 'interrupted', durationMs: 0 });
      return open.length;
    },

    head: () => ({ entry: head.seq, hash: head.hash }),

    writeWaiting,

    cut: ({ oldest, bytesMax, linesMax }) => {
      const cut = cutOldest(database, { oldest, surplus: bytes - bytesMax, linesMax });
      bytes -= cut.bytes;
      return cut.lines === linesMax;
    },
  };
}

/** The log goes with the last connection, once all of it is in the database and on the disk. */
const isClosed = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

function notFlushed(error: unknown, path: string): StoreFault {
  if (error instanceof StoreFault) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new StoreFault('unavailable', path, `What was written to ${path} may not be on the disk: ${words}.`, error);
}

function insert(database: Database, { seq, line, entry, hash }: WaitingLine): void {
  database.run('INSERT INTO audit (seq, entry, hash) VALUES (?, ?, ?)', seq, entry, hash);
  if (line.kind === 'intent')
    database.run(
      'INSERT INTO audit_act (seq, actor, verb, text) VALUES (?, ?, ?, ?)',
      seq,
      line.actor,
      line.verb,
      searchedText(line),
    );
  if (line.kind === 'result')
    database.run("UPDATE audit_act SET result = ?, text = text || ' ' || ? WHERE seq = ?", seq, line.result, line.of);
}

function list(database: Database, filter: Parameters<AuditRepository['list']>[0]): ReturnType<AuditRepository['list']> {
  const where: string[] = ['1'];
  const values: SQLInputValue[] = [];
  if (filter.actor !== undefined) {
    where.push('actor = ?');
    values.push(filter.actor);
  }
  if (filter.verb !== undefined) {
    where.push('verb = ?');
    values.push(filter.verb);
  }
  if (filter.text !== undefined && filter.text !== '') {
    where.push(String.raw`text LIKE ? ESCAPE '\'`);
    values.push(likeAnywhere(filter.text));
  }
  const condition = where.join(' AND ');
  const start = parseCursor(filter.before);
  const rows = database.all(
    `SELECT act.seq AS seq, intent.entry AS intent, outcome.entry AS outcome
     FROM (SELECT seq, result FROM audit_act WHERE ${condition} AND seq < ? ORDER BY seq DESC LIMIT ?) AS act
     JOIN audit AS intent ON intent.seq = act.seq LEFT JOIN audit AS outcome ON outcome.seq = act.result
     ORDER BY act.seq DESC`,
    ...values,
    start?.kind === 'below' ? start.seq : Number.MAX_SAFE_INTEGER,
    filter.limit + 1,
  );
  const page = rows.slice(0, filter.limit);
  const last = page.at(-1);
  return {
    items: page.map(entryOf),
    total: number(database.get(`SELECT count(*) AS n FROM audit_act WHERE ${condition}`, ...values) ?? {}, 'n'),
    ...(rows.length > filter.limit && last !== undefined ? { nextCursor: cursorBelow(number(last, 'seq')) } : {}),
  };
}

/** What was stored were lines of the chain, so the store's own JSON is trusted. */
function entryOf(row: Row): AuditEntry {
  const intent = JSON.parse(text(row, 'intent')) as Extract<AuditLine, { kind: 'intent' }>;
  const outcome =
    row.outcome === null ? null : (JSON.parse(text(row, 'outcome')) as Extract<AuditLine, { kind: 'result' }>);
  const { kind: _kind, ...said } = intent;
  return {
    id: String(number(row, 'seq')),
    ...said,
    result: outcome?.result ?? 'running',
    durationMs: outcome?.durationMs ?? null,
  };
}

function headOf(database: Database): { seq: number; hash: string } {
  const row =
    database.get('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1') ??
    database.get('SELECT seq, hash FROM audit_anchor');
  return row === undefined ? { seq: 0, hash: CHAIN_START } : { seq: number(row, 'seq'), hash: text(row, 'hash') };
}

/** The hash of the newest line that is on the disk. */
function hashBefore(waiting: readonly WaitingLine[], head: { readonly hash: string }): string | null {
  return waiting.length === 0 ? head.hash : null;
}

function cutOldest(
  database: Database,
  { oldest, surplus, linesMax }: { oldest: number; surplus: number; linesMax: number },
): { readonly lines: number; readonly bytes: number } {
  const nothing = { lines: 0, bytes: 0 };
  const isOld = (row: Row): boolean => Date.parse((JSON.parse(text(row, 'entry')) as AuditLine).at) < oldest;
  const first = database.get('SELECT entry FROM audit ORDER BY seq LIMIT 1');
  if (first === undefined || (surplus <= 0 && !isOld(first))) return nothing;
  let bytes = 0;
  let lines = 0;
  let last: Row | null = null;
  for (const row of database.all('SELECT seq, entry, hash FROM audit ORDER BY seq LIMIT ?', linesMax)) {
    if (bytes >= surplus && !isOld(row)) break;
    bytes += text(row, 'entry').length;
    lines += 1;
    last = row;
  }
  if (last === null) return nothing;
  const [seq, hash] = [number(last, 'seq'), text(last, 'hash')];
  database.transaction(() => {
    database.run('DELETE FROM audit WHERE seq <= ?', seq);
    database.run('DELETE FROM audit_act WHERE seq <= ?', seq);
    database.run(
      'INSERT INTO audit_anchor (one, seq, hash) VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash',
      seq,
      hash,
    );
  });
  return { lines, bytes };
}
