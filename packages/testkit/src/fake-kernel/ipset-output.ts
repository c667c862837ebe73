import { elementWords, type FakeSet, headerWords } from './fake-set.ts';

/** `ipset save`: lists come behind the sets that they hold. */
export function saveText(sets: readonly FakeSet[]): string {
  let text = '';
  for (const set of listsLast(sets)) {
    text += `create ${set.name} ${headerWords(set)}\n`;
    for (const [element, extensions] of set.elements) text += `add ${set.name} ${elementWords(element, extensions)}\n`;
  }
  return text;
}

/** `ipset list -t`, and `ipset list` if not terse. */
export function terseText(
  sets: readonly FakeSet[],
  kernel: { references(name: string): number },
  { isTerse }: { readonly isTerse: boolean },
): string {
  return sets
    .map((set) => {
      const [, ...header] = headerWords(set).split(' ');
      const lines = [
        `Name: ${set.name}`,
        `Type: ${set.type}`,
        'Revision: 6',
        `Header: ${header.join(' ')}`,
        `Size in memory: ${200 + set.elements.size * 8}`,
        `References: ${kernel.references(set.name)}`,
        `Number of entries: ${set.elements.size}`,
      ];
      if (!isTerse) {
        lines.push('Members:', ...[...set.elements].map(([element, extensions]) => elementWords(element, extensions)));
      }
      return `${lines.join('\n')}\n`;
    })
    .join('\n');
}

const listsLast = (sets: readonly FakeSet[]): readonly FakeSet[] => [
  ...sets.filter(({ type }) => type !== 'list:set'),
  ...sets.filter(({ type }) => type === 'list:set'),
];
