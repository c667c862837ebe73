import { createHash } from 'node:crypto';

/** One line of the audit: an intent, or the result of an earlier one. */
export type AuditLine =
  | {
      readonly kind: 'intent';
      readonly at: string;
      readonly actor: string;
      readonly role: string;
      readonly claimed?: string;
      readonly verb: string;
      readonly input: string;
      readonly via: string;
      readonly requestId: string;
    }
  | {
      readonly kind: 'result';
      readonly at: string;
      readonly of: number;
      readonly result: string;
      readonly durationMs: number;
    }
  /** Lines that could not be kept while the disk was full. */
  | { readonly kind: 'gap'; readonly at: string; readonly lost: number };

/** The hash before the first line ever. */
export const CHAIN_START = '0'.repeat(64);

/** The hash of a line: over the hash before it, its number and its text. Changing, removing or reordering any line changes every hash after it. */
export function chainHash(before: string, seq: number, entry: string): string {
  return createHash('sha256').update(`${before}\n${seq}\n${entry}`).digest('hex');
}
