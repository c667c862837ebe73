import { describe, expect, it } from 'vitest';
import { storeBench } from './testing/temporary-store.ts';

describe('objects that named a word', () => {
  it('finds those that name it now or did before, the newest first', () => {
    const store = storeBench().open();
    const row = (key: string, text: string | null) => ({
      at: '2026-06-01T12:00:00.000Z',
      key: key as never,
      source: 'd',
      kind: 'changed' as const,
      text,
    });
    store.changes.appendObjects([
      row('endpoint/gone', '{"ipv4":["10.0.0.1"]}'),
      row('endpoint/other', '{"ipv4":["10.0.0.2"]}'),
      row('endpoint/here', '{"ipv4":["10.0.0.1"]}'),
      row('endpoint/gone', null),
    ]);
    expect(store.changes.objectsNaming('10.0.0.1', 10)).toEqual(['endpoint/here', 'endpoint/gone']);
    expect(store.changes.objectsNaming('10.0.0.1', 1)).toEqual(['endpoint/here']);
    expect(store.changes.objectsNaming('10%', 10)).toEqual([]);
  });
});
