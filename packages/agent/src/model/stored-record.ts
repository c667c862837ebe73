import { objectOfText } from './object-text.ts';
import type { ModelObject, ObjectKey, ObjectRecord, Origin } from './objects.ts';

/** Where many objects of one read came from: all of an origin but the line. Shared by them. */
export type Place = Omit<Origin, 'line'>;

/**
 * A record that keeps only its text and makes object and origin when asked, each time anew: a million endpoints stay
 * small (56 bytes each and their two strings). `text` is what `objectText` gave.
 */
export class StoredRecord implements ObjectRecord {
  readonly key: ObjectKey;
  readonly text: string;
  readonly place: Place;
  /** 0: unknown. */
  readonly line: number;

  constructor(key: ObjectKey, text: string, place: Place, line = 0) {
    this.key = key;
    this.text = text;
    this.place = place;
    this.line = line;
  }

  /** The same record in little memory, whoever made it. */
  static of(record: Pick<ObjectRecord, 'key' | 'text' | 'origin'>): StoredRecord {
    if (record instanceof StoredRecord) return record;
    const { line, ...place } = record.origin;
    return new StoredRecord(record.key, record.text, place, line);
  }

  get object(): ModelObject {
    return objectOfText(this.key, this.text);
  }

  get origin(): Origin {
    return this.line === 0 ? this.place : { ...this.place, line: this.line };
  }

  /** What a store keeps of it. */
  toJSON(): { readonly key: ObjectKey; readonly text: string; readonly origin: Origin } {
    return { key: this.key, text: this.text, origin: this.origin };
  }
}
