import { ApiError, type Fault, type Handlers } from '@setkeeper/api';
import { exportYaml } from '../../model/export-yaml.ts';
import { keyParts } from '../../model/object-text.ts';
import { type ModelObject, type ObjectKey, type ObjectKind, objectKey } from '../../model/objects.ts';
import type { StoredRecord } from '../../model/stored-record.ts';
import { type Breathe, createBreather } from '../../sources/breather.ts';
import type { DeclaredSource } from '../../sources/declared-source.ts';
import type { ModelParser } from '../../sources/directory/model-parser.ts';
import { type ModelListDependencies, modelListHandlers } from './model-lists.ts';

/** What the verbs on the model need. */
export interface ModelDependencies extends ModelListDependencies {
  /** Null where the configuration has no declared source. */
  readonly declared: DeclaredSource | null;
  /** For text that comes over the API: not the one that reads directories, which may be long at it. */
  readonly parser: ModelParser;
  /** Resolves when every update that a source has delivered is part of the model. */
  readonly settled: () => Promise<void>;
  /** The acknowledged sets as restore input. */
  readonly exportRestore: () => string | Promise<string>;
}

type ModelVerb = Extract<keyof Handlers, `model.${string}`>;

/** Faults of one text that an answer holds. */
const FAULTS_TOLD_MAX = 200;

/** The model: its lists, its declared objects, checking of documents, and everything out again. */
export function modelHandlers(deps: ModelDependencies): Pick<Handlers, ModelVerb> {
  const { merge, declared, parser, settled, clock } = deps;
  return {
    ...modelListHandlers(deps),

    'model.put': async ({ documents, ifRevision }) => {
      const source = mustHave(declared);
      const { extent, objects, faults } = await parser.parseText(documents, GIVEN);
      const errors = faults.filter(({ severity }) => severity === 'error');
      if (errors.length > 0 || extent !== 'whole') throw refusal(errors);
      const { changed, unchanged, revision } = source.put(objects, ifRevision);
      await settled();
      const named = objects.map(({ key }) => keyParts(key));
      return { changed, unchanged, revision, objects: named, warnings: faults.slice(0, FAULTS_TOLD_MAX) };
    },

    'model.delete': async ({ kind, id, ifRevision }) => {
      const { changed, revision } = mustHave(declared).delete(kind, id, ifRevision);
      await settled();
      return { changed, revision };
    },

    'model.validate': async ({ documents }) => {
      const { extent, faults } = await parser.parseText(documents, GIVEN);
      const ok = extent === 'whole' && !faults.some(({ severity }) => severity === 'error');
      return { ok, faults: faults.slice(0, FAULTS_TOLD_MAX) };
    },

    'model.export': async ({ format, source, object }) => {
      if (format === 'restore') return { text: await deps.exportRestore(), revision: merge.revision };
      const { records, revision } = exported(deps, source, object);
      return { text: await yamlText(records, createBreather(clock)), revision };
    },
  };
}

/** What is to be exported, and the revision that belongs to it: nobody must be able to overwrite what he has not seen. */
function exported(
  { merge, declared }: ModelDependencies,
  source: string | undefined,
  object: { readonly kind: ObjectKind; readonly id: string } | undefined,
): { readonly records: Iterable<StoredRecord>; readonly revision: number } {
  if (source !== undefined && merge.source(source) === null) {
    throw new ApiError('not-found', `There is no source ${source}.`, { subject: source });
  }
  const key = object === undefined ? null : objectKey(object.kind, object.id);
  if (declared !== null && source === declared.name) {
    // Taken at once: what is declared while the text is made is not part of this revision.
    const records = key === null ? [...declared.records()] : [found(declared.record(key), key)];
    return { records, revision: declared.revision };
  }
  const { revision } = merge;
  if (key !== null) {
    const record = source === undefined ? merge.record(key) : merge.saidBy(source, key);
    return { records: [found(record, key)], revision };
  }
  return { records: source === undefined ? merge.records() : merge.recordsOf(source), revision };
}

function found(record: StoredRecord | null, key: ObjectKey): StoredRecord {
  if (record !== null) return record;
  const { kind, id } = keyParts(key);
  throw new ApiError('not-found', `There is no ${kind} ${id} there.`, { subject: id });
}

async function yamlText(records: Iterable<StoredRecord>, breathe: Breathe): Promise<string> {
  const objects: ModelObject[] = [];
  for (const record of records) {
    objects.push(record.object);
    const pause = breathe();
    if (pause !== null) await pause;
  }
  const pieces: string[] = [];
  for (const piece of exportYaml(objects)) {
    pieces.push(piece);
    const pause = breathe();
    if (pause !== null) await pause;
  }
  return pieces.join('');
}

/** What faults of a text that was sent name as its file. */
const GIVEN = 'documents';

function mustHave(declared: DeclaredSource | null): DeclaredSource {
  if (declared !== null) return declared;
  throw new ApiError('blocked', 'This agent takes no objects over its API: its configuration has no declared source.', {
    remedy: 'Add `- declared: {}` to the sources of agent.yaml.',
  });
}

function refusal(errors: readonly Fault[]): ApiError {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const words =
    first === undefined ? 'the documents are not whole' : `line ${first.line} ${first.path}: ${first.reason}`;
  return new ApiError('bad-input', `${words}${more}. Nothing was changed.`, {
    ...(first === undefined ? {} : { subject: first.path }),
    remedy: 'Mend the documents and send them again.',
    details: { faults: errors.slice(0, FAULTS_TOLD_MAX) },
  });
}
