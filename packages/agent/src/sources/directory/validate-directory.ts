import type { Fault } from '@setkeeper/api';
import type { StoredRecord } from '../../model/stored-record.ts';
import { DirectoryContent } from './directory-content.ts';
import { readModelDirectory } from './read-model-directory.ts';

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
  const read = await readModelDirectory(path);
  if (!read.ok) return judged([{ file: path, line: 1, path: '', reason: read.reason, severity: 'error' }], []);
  const content = new DirectoryContent(path);
  const { upserts } = await content.apply(read.files, undefined, () => null);
  return judged(content.faults(), upserts);
}

function judged(all: readonly Fault[], objects: readonly StoredRecord[]): ValidatedModel {
  const faults = all.filter(({ severity }) => severity === 'error');
  return { ok: faults.length === 0, faults, warnings: all.filter(({ severity }) => severity === 'warning'), objects };
}
