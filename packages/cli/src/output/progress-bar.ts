import type { Sink } from '../world.ts';

/** A bar on stderr for work that takes a while. Draws on a terminal only. */
export interface ProgressBar {
  show(progress: { readonly done: number; readonly total: number; readonly rejected: number }): void;
  clear(): Promise<void>;
}

const width = 24;

/** Makes a bar; where `sink` is no terminal it never writes. */
export function createProgressBar(sink: Sink): ProgressBar {
  let isShown = false;
  return {
    show({ done, total, rejected }) {
      if (!sink.isTTY || total <= 0) return;
      const filled = Math.min(width, Math.floor((done / total) * width));
      const bar = `${'#'.repeat(filled)}${'-'.repeat(width - filled)}`;
      const bad = rejected > 0 ? `, ${rejected} rejected` : '';
      isShown = true;
      void sink.write(`\r\u001b[2K[${bar}] ${done} of ${total} lines${bad}`);
    },
    async clear() {
      if (isShown) await sink.write('\r\u001b[2K');
      isShown = false;
    },
  };
}
