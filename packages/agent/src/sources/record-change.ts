import type { ObjectChange } from '../model/change.ts';
import type { ModelObject, ObjectKey, Origin } from '../model/objects.ts';
import type { StoredRecord } from '../model/stored-record.ts';

/** A change between two records, which makes its objects when asked: a generation of a million changes stays small. */
export class RecordChange implements ObjectChange {
  readonly key: ObjectKey;
  readonly #before: StoredRecord | null;
  readonly #after: StoredRecord | null;

  constructor(key: ObjectKey, before: StoredRecord | null, after: StoredRecord | null) {
    this.key = key;
    this.#before = before;
    this.#after = after;
  }

  get before(): ModelObject | null {
    return this.#before?.object ?? null;
  }

  get after(): ModelObject | null {
    return this.#after?.object ?? null;
  }

  get textBefore(): string | null {
    return this.#before?.text ?? null;
  }

  get textAfter(): string | null {
    return this.#after?.text ?? null;
  }

  /** Where the object is read now; for one that went, where it was. */
  get origin(): Origin | null {
    return (this.#after ?? this.#before)?.origin ?? null;
  }
}
