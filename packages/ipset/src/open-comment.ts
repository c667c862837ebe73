import type { SetHeader } from './header.ts';

/**
 * Where a comment that is still open at the end of a line starts (behind its quote), or -1. Only a set with comments can
 * have one; a quote in a set's name opens nothing.
 */
export function openComment(text: string, from: number, header: SetHeader | undefined): number {
  if (header === undefined || !header.comment) return -1;
  const comment = text.indexOf(COMMENT, from);
  if (comment < 0) return -1;
  const start = comment + COMMENT.length;
  return text.indexOf('"', start) < 0 ? start : -1;
}

const COMMENT = ' comment "';
