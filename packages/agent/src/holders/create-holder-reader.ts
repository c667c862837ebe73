import type { HolderReader, HolderReading } from './holder-reading.ts';
import { type HolderPorts, readHolders } from './read-holders.ts';

/**
 * A holder reader over tools and kernel reader. One reading runs at a time: who asks while one runs gets the next one,
 * which begins when it has ended, since the running one may have passed what the asker wants to see.
 */
export function createHolderReader(ports: HolderPorts): HolderReader {
  let newest: HolderReading | null = null;
  let running: Promise<HolderReading> | null = null;
  let next: Promise<HolderReading> | null = null;

  const begin = (): Promise<HolderReading> => {
    running = readHolders(ports).then((reading) => {
      newest = reading;
      return reading;
    });
    const clear = (): void => {
      running = null;
    };
    running.then(clear, clear);
    return running;
  };

  return {
    last: () => newest,
    read: () => {
      if (running === null) return begin();
      next ??= running.then(
        () => {
          next = null;
          return begin();
        },
        () => {
          next = null;
          return begin();
        },
      );
      return next;
    },
  };
}
