/** Hands text to the browser as a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A file name with the time in UTC and its zone: `sets-2026-01-31T0213Z.csv`. */
export function stampedName(stem: string, extension: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().slice(0, 16).replace(':', '');
  return `${stem}-${stamp}Z.${extension}`;
}
