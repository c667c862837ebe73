import type { HolderReading } from '../holders/holder-reading.ts';

/** What an operator can do about an unexplained reference of a set. */
export function leakAdvice(name: string, reading: HolderReading): string {
  const sentences: string[] = [];
  const { possible, unreadable } = reading;
  const removals = possible.flatMap(({ removeWith }) => (removeWith === undefined ? [] : [removeWith]));
  if (possible.length > 0) {
    const places = possible.map(({ where }) => where).join('; ');
    sentences.push(
      `A rule of the nft compat match "set" does not show which set it uses: look at ${places}, and delete it if nobody wants it (${removals.join('; ')}).`,
    );
  }
  if (unreadable.length > 0) {
    const unread = unreadable.map(({ what, why }) => `${what}: ${why}`).join('; ');
    sentences.push(`Not everything could be read (${unread}): mend that first, the holder may be there.`);
  }
  if (sentences.length > 0) return sentences.join(' ');
  return `Nothing on this host shows a holder of ${name}. A rule deleted a moment ago can hold it for a while. If it lasts, find out which tool last used it and restart it; a network namespace or a module that nobody shows may hold it until the next boot.`;
}
