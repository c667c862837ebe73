import { isWritableSetName } from './set-name.ts';

/** Whose a set is, by the exact form of its name alone. Whether a managed set owns it, is for the caller to know. */
export type Ownership = 'managed-form' | 'temporary' | 'acknowledgement' | 'former-prefix' | 'foreign';

export interface OwnershipOfName {
  readonly ownership: Ownership;
  /** The name starts with our prefix, but has another form: it is foreign, and worth a word. */
  readonly prefixShared: boolean;
  /** False: no restore line may ever hold this name, so the set can be shown, but neither written nor destroyed. */
  readonly writable: boolean;
}

/**
 * Ours are `<prefix>v4-t.x` and the like, `<prefix>tmp-x`, `<prefix>ack-x`; the prefix is taken literally and at the
 * start alone. A name with a former prefix and something behind it is `former-prefix`; where the present prefix is the
 * longer of the two that fit, the name is judged by the present one. Everything else is foreign.
 */
export function ownershipOf(
  name: string,
  o: { readonly prefix: string; readonly formerPrefixes: readonly string[] },
): OwnershipOfName {
  const writable = isWritableSetName(name);
  const shared = o.prefix !== '' && name.startsWith(o.prefix);
  const own = shared ? ownForm(name.slice(o.prefix.length)) : undefined;
  if (own !== undefined) return { ownership: own, prefixShared: false, writable };
  const former = o.formerPrefixes.some(
    (prefix) =>
      prefix !== '' &&
      name.length > prefix.length &&
      name.startsWith(prefix) &&
      !(shared && o.prefix.length > prefix.length),
  );
  if (former) return { ownership: 'former-prefix', prefixShared: false, writable };
  return { ownership: 'foreign', prefixShared: shared, writable };
}

function ownForm(rest: string): Ownership | undefined {
  if (MANAGED_FORM.test(rest)) return 'managed-form';
  if (TEMPORARY_FORM.test(rest)) return 'temporary';
  if (ACKNOWLEDGEMENT_FORM.test(rest)) return 'acknowledgement';
  return undefined;
}

const MANAGED_FORM = /^(?:v[46]-[tpnh]\.|l\.)./;
const TEMPORARY_FORM = /^tmp-./;
const ACKNOWLEDGEMENT_FORM = /^ack-./;
