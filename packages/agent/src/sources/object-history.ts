import type { ModelChange, ObjectChange } from '../model/change.ts';
import { objectText } from '../model/object-text.ts';
import type { ObjectHistory } from '../store/store.ts';
import { RecordChange } from './record-change.ts';

/** The rows that history keeps of a model change, one an object, made as they are asked for. */
export function* objectHistoryOf({ changes, cause }: ModelChange): Generator<Omit<ObjectHistory, 'id'>> {
  const at = new Date(cause.at).toISOString();
  for (const change of changes) {
    const { key, origin } = change;
    const [was, is] = change instanceof RecordChange ? [change.beforeText, change.afterText] : textsOf(change);
    if (was === null && is === null) continue;
    yield {
      at,
      key,
      kind: is === null ? 'removed' : was === null ? 'added' : 'changed',
      source: origin?.source ?? cause.source,
      ...(origin?.file === undefined ? {} : { file: origin.file }),
      ...(origin?.line === undefined ? {} : { line: origin.line }),
      ...(cause.commit === undefined ? {} : { commit: cause.commit }),
      text: is,
    };
  }
}

const textsOf = ({ before, after }: ObjectChange): readonly [string | null, string | null] => [
  before === null ? null : objectText(before),
  after === null ? null : objectText(after),
];
