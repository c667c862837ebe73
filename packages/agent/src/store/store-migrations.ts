import type { Migration } from './migrate.ts';

/** The schema of the store: what must never be lost (last good content, operators' facts, the audit). Released steps never change. */
export const storeMigrations: readonly Migration[] = [
  `
  CREATE TABLE source (
    name   TEXT PRIMARY KEY,
    facts  TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE last_good (
    source TEXT NOT NULL,
    key    TEXT NOT NULL,
    text   TEXT NOT NULL,
    origin TEXT NOT NULL,
    PRIMARY KEY (source, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE fact (
    noun   TEXT NOT NULL,
    id     TEXT NOT NULL,
    value  TEXT NOT NULL,
    PRIMARY KEY (noun, id)
  ) STRICT, WITHOUT ROWID;

  -- Append-only: an act is an intent, later a result that names it. Each line holds the hash of the one before.
  CREATE TABLE audit (
    seq    INTEGER PRIMARY KEY,
    entry  TEXT NOT NULL,
    hash   TEXT NOT NULL
  ) STRICT;
  -- Derived from audit for searching; never part of the chain.
  CREATE TABLE audit_act (
    seq    INTEGER PRIMARY KEY,
    actor  TEXT NOT NULL,
    verb   TEXT NOT NULL,
    text   TEXT NOT NULL,
    result INTEGER
  ) STRICT;
  CREATE INDEX audit_open ON audit_act (seq) WHERE result IS NULL;
  -- Where the chain begins after old lines were cut: the hash of the last line that was cut.
  CREATE TABLE audit_anchor (
    one    INTEGER PRIMARY KEY CHECK (one = 1),
    seq    INTEGER NOT NULL,
    hash   TEXT NOT NULL
  ) STRICT;
  `,
];

/** Tables that are checked for damage at start, whatever the size of the file. */
export const storeTables = ['source', 'last_good', 'fact', 'audit', 'audit_act', 'audit_anchor'] as const;
