import type { ListedSet } from '@setkeeper/ipset';
import type { KernelReader, Reading } from '../kernel/kernel-reader.ts';

/** A reader whose header readings, whoever asked for them, are also told to `hear`: so nobody reads twice to know. */
export function heardReader(
  reader: KernelReader,
  hear: (reading: Reading<readonly ListedSet[]>) => void,
): KernelReader {
  return {
    headers: async () => {
      const reading = await reader.headers();
      hear(reading);
      return reading;
    },
    header: (name) => reader.header(name),
    members: (name, visitor) => reader.members(name, visitor),
    everything: (visitor) => reader.everything(visitor),
    dumps: () => reader.dumps(),
  };
}
