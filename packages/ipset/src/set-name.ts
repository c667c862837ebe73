/** A name that the kernel can give a set. Holding one is no permission to write it: see `isWritableSetName`. */
export type SetName = string & { readonly __brand: 'SetName' };

export function parseSetName(_text: string): SetName | undefined {
  throw new Error('not written yet');
}

export function isWritableSetName(_text: string): boolean {
  throw new Error('not written yet');
}
