import {
  type Anomaly,
  type ListedSet,
  type MemberOptions,
  type SaveHandlers,
  SaveParser,
  type SetHeader,
  type SetName,
} from '@setkeeper/ipset';
import type { KernelReader, Reading } from '../kernel/kernel-reader.ts';

interface SavedSet {
  readonly header: SetHeader;
  readonly elements: (readonly [element: string, options: MemberOptions | null])[];
}

/** Sets as an `ipset save` file has them, read as if they were a kernel's. Who uses them is not in such a file. */
export class SavedKernel implements KernelReader {
  readonly sets = new Map<SetName, SavedSet>();
  /** Lines that are no save output. */
  readonly anomalies: Anomaly[] = [];
  readonly #at: number;

  /** `at`: milliseconds since 1970. */
  constructor(save: Uint8Array, at: number) {
    this.#at = at;
    const parser = new SaveParser(
      {
        onSet: (header) => {
          if (!this.sets.has(header.name)) this.sets.set(header.name, { header, elements: [] });
        },
        onMember: (name, element, options) => this.sets.get(name)?.elements.push([element, options]),
        onAnomaly: (anomaly) => this.anomalies.push(anomaly),
      },
      { mode: 'file' },
    );
    parser.push(save);
    parser.end();
  }

  /** How many lists of the file hold each set. */
  listReferences(): ReadonlyMap<string, number> {
    const references = new Map<string, number>();
    for (const { header, elements } of this.sets.values()) {
      if (header.type !== 'list:set') continue;
      for (const [name] of elements) references.set(name, (references.get(name) ?? 0) + 1);
    }
    return references;
  }

  listed({ header, elements }: SavedSet, references: number): ListedSet {
    return { header, revision: null, memoryBytes: null, references, entries: elements.length, unknown: new Map() };
  }

  headers(): Promise<Reading<readonly ListedSet[]>> {
    const references = this.listReferences();
    return this.#read([...this.sets.values()].map((set) => this.listed(set, references.get(set.header.name) ?? 0)));
  }

  header(name: SetName): Promise<Reading<ListedSet>> {
    const set = this.sets.get(name);
    return set === undefined ? this.#missing() : this.#read(this.listed(set, this.listReferences().get(name) ?? 0));
  }

  members(name: SetName, visitor: SaveHandlers): Promise<Reading<{ readonly members: number }>> {
    const set = this.sets.get(name);
    if (set === undefined) return this.#missing();
    dump(set, visitor);
    return this.#read({ members: set.elements.length });
  }

  everything(visitor: SaveHandlers): Promise<Reading<{ readonly sets: number; readonly members: number }>> {
    let members = 0;
    for (const set of this.sets.values()) {
      dump(set, visitor);
      members += set.elements.length;
    }
    return this.#read({ sets: this.sets.size, members });
  }

  dumps(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  #read<T>(value: T): Promise<Reading<T>> {
    return Promise.resolve({ ok: true, value, at: this.#at, warnings: [] });
  }

  #missing(): Promise<Reading<never>> {
    const fault = { code: 'set-missing', message: 'the file has no such set', raw: '' } as const;
    return Promise.resolve({ ok: false, fault, at: this.#at });
  }
}

function dump({ header, elements }: SavedSet, visitor: SaveHandlers): void {
  visitor.onSet(header);
  for (const [element, options] of elements) visitor.onMember(header.name, element, options);
}
