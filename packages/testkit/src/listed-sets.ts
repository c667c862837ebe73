import { type ListedSet, ListParser } from '@setkeeper/ipset';

/** A set as `ipset list -t` shows it, by what a test cares for. */
export interface ListedSetSketch {
  readonly name: string;
  readonly type?: string;
  readonly family?: 'inet' | 'inet6';
  readonly references?: number;
  readonly entries?: number;
  readonly maxelem?: number;
}

/** Listed sets made through the real parser from the text that ipset 7.17 would print. */
export function listedSets(...sketches: readonly ListedSetSketch[]): readonly ListedSet[] {
  const sets: ListedSet[] = [];
  const parser = new ListParser({
    onSet: (set) => sets.push(set),
    onAnomaly: (anomaly) => {
      throw new Error(`the sketch makes no valid list: ${JSON.stringify(anomaly)}`);
    },
  });
  parser.push(new TextEncoder().encode(sketches.map(listText).join('\n')));
  parser.end();
  return sets;
}

function listText(sketch: ListedSetSketch): string {
  const { name, type = 'hash:ip', family = 'inet', references = 0, entries = 0, maxelem = 65_536 } = sketch;
  const header =
    type === 'list:set' ? 'size 8' : `family ${family} hashsize 64 maxelem ${maxelem} bucketsize 12 initval 0x67afbb0a`;
  return `Name: ${name}\nType: ${type}\nRevision: 6\nHeader: ${header}\nSize in memory: 216\nReferences: ${references}\nNumber of entries: ${entries}\n`;
}
