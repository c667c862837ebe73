import { type Anomaly, type AnomalyKind, anomaly } from './anomaly.ts';
import { LineSplitter } from './line-splitter.ts';
import { decodeSetName, SET_NAME_BYTES_MAX, type SetName } from './set-name.ts';

export interface NamesOutput {
  readonly names: readonly SetName[];
  readonly anomalies: readonly Anomaly[];
}

/**
 * The names of `ipset list -n`, in the kernel's order, one a line; an empty line is the set with the empty name. A tail
 * without newline, a name that is too long and one that stands twice (a name with a newline can look so) are anomalies.
 */
export function parseNames(output: Uint8Array): NamesOutput {
  const names: SetName[] = [];
  const anomalies: Anomaly[] = [];
  const seen = new Set<string>();
  const report = (kind: AnomalyKind, text: string, line: number) => anomalies.push(anomaly(kind, line, text, null));
  const lines = new LineSplitter({
    onLine: (text, line) => {
      if (text.length > SET_NAME_BYTES_MAX) {
        report('unreadable-line', text, line);
      } else {
        if (seen.has(text)) report('duplicate-set', text, line);
        seen.add(text);
        names.push(decodeSetName(text));
      }
    },
    onBroken: (kind, text, line) => report(kind === 'truncated' ? kind : 'unreadable-line', text, line),
    openQuote: () => -1,
  });
  lines.push(output);
  lines.end();
  return { names, anomalies };
}
