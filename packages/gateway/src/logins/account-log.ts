import type { DatabaseSync } from 'node:sqlite';

/** One line of what happened to accounts. */
export interface AccountLogEntry {
  readonly id: number;
  /** ISO-8601, UTC. */
  readonly at: string;
  readonly actor: string;
  readonly act: string;
  readonly subject: string;
  readonly address: string;
  readonly result: string;
}

/** What happened to accounts: sign-ins, refused ones too, and every change. The agent's audit has what they then did. */
export interface AccountLog {
  add(entry: Omit<AccountLogEntry, 'id' | 'at'>): void;
  /** Newest first. */
  list(limit: number): readonly AccountLogEntry[];
}

/** How many lines are kept. */
const rowsMax = 20_000;

/** Keeps its lines in the store of accounts. */
export function createAccountLog(database: DatabaseSync, now: () => number): AccountLog {
  const insert = database.prepare(
    'insert into account_log (at, actor, act, subject, address, result) values (?, ?, ?, ?, ?, ?)',
  );
  const trim = database.prepare('delete from account_log where id <= (select max(id) from account_log) - ?');
  const select = database.prepare(
    'select id, at, actor, act, subject, address, result from account_log order by id desc limit ?',
  );
  return {
    add({ actor, act, subject, address, result }) {
      insert.run(now(), actor.slice(0, 200), act, subject.slice(0, 200), address, result);
      trim.run(rowsMax);
    },
    list: (limit) =>
      select.all(limit).map((row) => ({
        id: Number(row.id),
        at: new Date(Number(row.at)).toISOString(),
        actor: String(row.actor),
        act: String(row.act),
        subject: String(row.subject),
        address: String(row.address),
        result: String(row.result),
      })),
  };
}
