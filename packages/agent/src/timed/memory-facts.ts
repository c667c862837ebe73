import type { FactRepository } from '../store/store.ts';

/** Facts that last as long as the process: for tests of what lies in the store. Values go through JSON as in the store. */
export function memoryFacts(): FactRepository {
  const nouns = new Map<string, Map<string, string>>();
  return {
    list: <T>(noun: string) => [...(nouns.get(noun) ?? [])].map(([id, text]) => ({ id, value: JSON.parse(text) as T })),
    put: (noun, id, value) => {
      const entries = nouns.get(noun) ?? new Map<string, string>();
      entries.set(id, JSON.stringify(value));
      nouns.set(noun, entries);
    },
    delete: (noun, id) => {
      nouns.get(noun)?.delete(id);
    },
  };
}
