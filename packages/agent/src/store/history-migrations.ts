import type { Migration } from './migrate.ts';

/** The schema of the history beside the store: runs, changes, drift. It may be cut, paused and lost; nothing is decided by it. */
export const historyMigrations: readonly Migration[] = [
  `
  CREATE TABLE run (
    seq         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    at          INTEGER NOT NULL,
    phase       TEXT NOT NULL,
    duration    REAL NOT NULL,
    sets        INTEGER NOT NULL,
    text        TEXT NOT NULL,
    run         TEXT NOT NULL,
    sections    TEXT NOT NULL DEFAULT '[]',
    read_back   TEXT NOT NULL DEFAULT '[]',
    bytes       INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX run_at ON run (at);
  CREATE INDEX run_failed ON run (seq) WHERE phase IN ('partly', 'failed', 'interrupted');
  CREATE INDEX run_running ON run (seq) WHERE phase = 'running';

  -- Which runs touched a set.
  CREATE TABLE run_set (
    name        TEXT NOT NULL,
    run         INTEGER NOT NULL,
    PRIMARY KEY (name, run)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX run_set_run ON run_set (run);

  -- A script in parts of a bounded number of lines; 'deflate' or 'plain'.
  CREATE TABLE run_script (
    run         INTEGER NOT NULL,
    first_line  INTEGER NOT NULL,
    lines       INTEGER NOT NULL,
    codec       TEXT NOT NULL,
    data        BLOB NOT NULL,
    PRIMARY KEY (run, first_line)
  ) STRICT, WITHOUT ROWID;

  -- Lines that were not applied, neighbours with one cause as one row. An applied line takes no row.
  CREATE TABLE run_exception (
    run         INTEGER NOT NULL,
    first_line  INTEGER NOT NULL,
    last_line   INTEGER NOT NULL,
    outcome     TEXT NOT NULL,
    code        TEXT,
    message     TEXT,
    raw         TEXT,
    because     INTEGER,
    PRIMARY KEY (run, first_line)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE change (
    seq         INTEGER PRIMARY KEY,
    at          INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    text        TEXT NOT NULL,
    change      TEXT NOT NULL
  ) STRICT;
  CREATE INDEX change_at ON change (at);

  -- What happened to each object of the model. The newest row of an object is kept as long as history is.
  CREATE TABLE object_change (
    seq         INTEGER PRIMARY KEY,
    at          INTEGER NOT NULL,
    key         TEXT NOT NULL,
    kind        TEXT NOT NULL,
    source      TEXT NOT NULL,
    file        TEXT,
    line        INTEGER,
    revision    TEXT,
    text        TEXT
  ) STRICT;
  CREATE INDEX object_change_key ON object_change (key, seq);

  CREATE TABLE drift (
    seq         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    at          INTEGER NOT NULL,
    set_group   TEXT NOT NULL,
    entry       TEXT NOT NULL
  ) STRICT;
  CREATE INDEX drift_group ON drift (set_group, seq);
  `,
];
