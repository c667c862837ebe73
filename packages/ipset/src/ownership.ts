export type Ownership = 'managed-form' | 'temporary' | 'acknowledgement' | 'former-prefix' | 'foreign';

export interface OwnershipOfName {
  readonly ownership: Ownership;
  /** The name starts with our prefix, but has another form: it is foreign, and worth a word. */
  readonly prefixShared: boolean;
  /** False: no restore line may ever hold this name, so it can be shown, but neither written nor destroyed. */
  readonly writable: boolean;
}

export function ownershipOf(
  _name: string,
  _o: { readonly prefix: string; readonly formerPrefixes: readonly string[] },
): OwnershipOfName {
  throw new Error('not written yet');
}

export function foreignOwnerByName(_name: string): string | undefined {
  throw new Error('not written yet');
}
