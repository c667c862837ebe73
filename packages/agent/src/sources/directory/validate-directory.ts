import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Fault } from '@setkeeper/api';
import type { StoredRecord } from '../../model/stored-record.ts';
import { DirectoryContent } from './directory-content.ts';
import { type ParsedFile, readModelFile, unreadableFile } from './parsed-file.ts';
import { walkModel } from './walk-model.ts';

/** What a directory (or one file) of model documents says, and everything that is wrong with it. */
export interface ValidatedModel {
  /** No fault; warnings may stand. */
  readonly ok: boolean;
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
  readonly objects: readonly StoredRecord[];
}

/**
 * Checks model documents without an agent, by the agent's own rules. A path to one file checks that file, with its
 * folder as the model directory. Synchronous work: seconds for a model of many megabytes.
 */
export async function validateDirectory(path: string): Promise<ValidatedModel> {
  const isFile = (await stat(path).catch(() => null))?.isFile() ?? false;
  const walk = await walkModel(isFile ? dirname(path) : path);
  if (!walk.ok) return judged([{ file: path, line: 1, path: '', reason: walk.reason, severity: 'error' }], []);
  const files = new Map<string, ParsedFile>();
  if (isFile) {
    files.set(basename(path), readModelFile(walk.realRoot, basename(path)));
  } else {
    for (const [name, { refused }] of walk.files) {
      files.set(name, refused === undefined ? readModelFile(walk.realRoot, name) : unreadableFile(name, refused));
    }
  }
  const content = new DirectoryContent(path, []);
  const { upserts } = await content.apply(files, undefined, () => null);
  return judged(content.faults(), upserts);
}

function judged(all: readonly Fault[], objects: readonly StoredRecord[]): ValidatedModel {
  const faults = all.filter(({ severity }) => severity === 'error');
  return { ok: faults.length === 0, faults, warnings: all.filter(({ severity }) => severity === 'warning'), objects };
}
