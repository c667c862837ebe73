import { setImmediate as turn } from 'node:timers/promises';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { TextRules } from './acknowledged-text.ts';
import { type Still, type TextSink, writeAcknowledged } from './write-acknowledged.ts';

/** Every set as it was last acknowledged, as one restore input: hash sets by name, then lists. O(members), in slices. */
export async function exportRestore(
  sets: Iterable<ManagedSet>,
  render: TextRules['render'],
  still: Still,
): Promise<string> {
  const known = [...sets]
    .filter(({ ledger }) => ledger.content.kind === 'known')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const pieces: string[] = [];
  const sink: TextSink = {
    write: async (text) => {
      pieces.push(text);
      await turn();
    },
    mark: () => pieces.length,
    rewind: async (mark) => {
      pieces.length = mark;
    },
  };
  const written = new Set<string>();
  const rules: TextRules = { render, isLoadable: (element) => written.has(element) };
  for (const set of [
    ...known.filter(({ family }) => family !== null),
    ...known.filter(({ family }) => family === null),
  ])
    if ((await writeAcknowledged(set, rules, sink, still)).kind === 'written') written.add(set.name);
  return pieces.join('');
}
