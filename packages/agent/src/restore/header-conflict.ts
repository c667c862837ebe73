import { headerDifferences, type SetHeader } from '@setkeeper/ipset';
import type { Rejection } from './outcomes.ts';

/** Why a set cannot be the one that its create asked for: another type or family. Null: it can, or it is not known. */
export function headerConflict(wanted: SetHeader | null, seen: SetHeader | undefined, raw = ''): Rejection | null {
  if (wanted === null || seen === undefined) return null;
  const difference = headerDifferences(wanted, seen).find(({ repair }) => repair === 'recreate');
  if (difference === undefined) return null;
  return {
    code: 'set-exists',
    message: `Set cannot be created: set with the same name already exists, with ${difference.field} ${difference.seen} instead of ${difference.wanted}`,
    raw,
  };
}
