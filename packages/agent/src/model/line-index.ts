/** Turns an offset of a text into its line, counted from 1. Built once, then O(log lines). */
export type LineOf = (at: number) => number;

/** The line index of a text; built at the first question. */
export function lineIndex(text: string): LineOf {
  let starts: number[] | undefined;
  return (at) => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
