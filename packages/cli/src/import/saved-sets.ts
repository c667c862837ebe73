import { type Anomaly, type Member, memberFromKernel, memberKey, SaveParser, type SetHeader } from '@setkeeper/ipset';

/** A member of a saved set, with what the model cannot carry. */
export interface SavedMember {
  /** The element as a member without `nomatch`. */
  readonly element: Member;
  readonly isException: boolean;
  readonly comment: string | null;
  /** Seconds left; 0 or null: permanent. */
  readonly timeout: number | null;
  readonly hasMark: boolean;
}

/** One set of an `ipset save` file. */
export interface SavedSet {
  readonly header: SetHeader;
  readonly members: readonly SavedMember[];
}

/** Reads `ipset save` output, or a restore file made by hand. Anomalies are lines that are neither; never thrown. */
export function savedSets(bytes: Uint8Array): { sets: readonly SavedSet[]; anomalies: readonly Anomaly[] } {
  const sets = new Map<string, { header: SetHeader; members: SavedMember[] }>();
  const anomalies: Anomaly[] = [];
  const parser = new SaveParser(
    {
      onSet: (header) => {
        if (!sets.has(header.name)) sets.set(header.name, { header, members: [] });
      },
      onMember: (name, element, options) => {
        const set = sets.get(name);
        if (set === undefined) return;
        set.members.push({
          element: memberKey(memberFromKernel(set.header.type, set.header.family, element, false)) as Member,
          isException: options?.nomatch ?? false,
          comment: options?.comment == null ? null : Buffer.from(options.comment, 'latin1').toString('utf8'),
          timeout: options?.timeout ?? null,
          hasMark: options !== null && (options.skbmark ?? options.skbprio ?? options.skbqueue) !== null,
        });
      },
      onAnomaly: (anomaly) => anomalies.push(anomaly),
    },
    { mode: 'file' },
  );
  parser.push(bytes);
  parser.end();
  return { sets: [...sets.values()], anomalies };
}
