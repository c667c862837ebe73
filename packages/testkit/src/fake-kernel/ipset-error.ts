/** How a line fails. `kernel` and `syntax` name their line, `usage` ends with status 2 and names none, `bare` ends with status 1 and names none. */
export class IpsetError extends Error {
  readonly kind: 'kernel' | 'syntax' | 'usage' | 'bare';

  constructor(kind: IpsetError['kind'], message: string) {
    super(message);
    this.name = 'IpsetError';
    this.kind = kind;
  }
}

export const kernelError = (message: string): IpsetError => new IpsetError('kernel', message);
export const syntaxError = (message: string): IpsetError => new IpsetError('syntax', `Syntax error: ${message}`);
export const usageError = (message: string): IpsetError =>
  new IpsetError('usage', `${message}\nTry \`ipset help' for more information.`);

/** The kernel's words, as ipset 7.17 prints them (lib/errcode.c of ipset; checked by fake-kernel.kernel.test.ts). */
export const WORDS = {
  missing: 'The set with the given name does not exist',
  exists: 'Set cannot be created: set with the same name already exists',
  inUse: 'Set cannot be destroyed: it is in use by a kernel component',
  renameInUse: 'Set cannot be renamed: it is in use by another system',
  renameExists: 'Set cannot be renamed: a set with the new name already exists',
  busy: 'Kernel error received: Device or resource busy',
  typeMismatch: 'The sets cannot be swapped: their type does not match',
  swapMissing: 'Sets cannot be swapped: the second set does not exist',
  duplicate: "Element cannot be added to the set: it's already added",
  absent: "Element cannot be deleted from the set: it's not added",
  full: 'Hash is full, cannot add more elements',
  listMember: 'Set to be added/deleted/tested as element does not exist.',
  nestedList: 'Sets with list:set type cannot be added to the set.',
  listReference: "The set to which you referred with 'before' or 'after' does not exist.",
  nullElement: 'Null-valued element, cannot be stored in a hash type of set',
  cidr: 'The value of the CIDR parameter of the IP address is invalid',
  range: 'Element is out of the range of the set',
  rangeTooBig: 'The range you specified exceeds the size limit of the set type',
  timeout: 'Timeout cannot be used: set was created without timeout support',
  counters: 'Packet/byte counters cannot be used: set was created without counter support',
  comment: 'Comment cannot be used: set was created without comment support',
  protocol: 'Kernel error received: ipset protocol error',
  invalid: 'Kernel error received: Invalid argument',
  typeUnsupported: 'Kernel error received: set type not supported',
  setLimit: 'Kernel error received: maximal number of sets reached, cannot create more.',
  permission: 'Kernel error received: Operation not permitted',
} as const;
