import { objectOfText } from './object-text.ts';
import type { ModelObject, ObjectKey, ObjectRecord, Origin } from './objects.ts';

/**
 * A record that keeps only its text and makes the object when asked, each time anew: a million endpoints stay small.
 * `text` is what `objectText` gave.
 */
export class StoredRecord implements ObjectRecord {
  readonly key: ObjectKey;
  readonly origin: Origin;
  readonly text: string;

  constructor(key: ObjectKey, text: string, origin: Origin) {
    this.key = key;
    this.text = text;
    this.origin = origin;
  }

  get object(): ModelObject {
    return objectOfText(this.key, this.text);
  }
}
