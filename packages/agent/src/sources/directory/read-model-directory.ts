import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type ParsedFile, readModelFile, unreadableFile } from './parsed-file.ts';
import { walkModel } from './walk-model.ts';

/** Every file of a model directory by its path inside, or why the directory cannot be read. */
export type ReadModel =
  | { readonly ok: true; readonly files: ReadonlyMap<string, ParsedFile> }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads and parses a model directory without an agent. A path to one file reads that file, with its folder as the model
 * directory. Synchronous work: seconds for a model of many megabytes.
 */
export async function readModelDirectory(path: string): Promise<ReadModel> {
  const isFile = (await stat(path).catch(() => null))?.isFile() ?? false;
  const walk = await walkModel(isFile ? dirname(path) : path);
  if (!walk.ok) return walk;
  if (isFile) return { ok: true, files: new Map([[basename(path), readModelFile(walk.realRoot, basename(path))]]) };
  const files = new Map<string, ParsedFile>();
  for (const [name, { refused }] of walk.files) {
    files.set(name, refused === undefined ? readModelFile(walk.realRoot, name) : unreadableFile(name, refused));
  }
  return { ok: true, files };
}
