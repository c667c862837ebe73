/** The four type names that Setkeeper programs. Every other type is read and shown, never written. */
export type ManagedType = 'hash:ip' | 'hash:net' | 'hash:ip,port' | 'list:set';

/** The managed types, in the order of their creation in a plan: lists last. */
export const MANAGED_TYPES: readonly ManagedType[] = ['hash:ip', 'hash:net', 'hash:ip,port', 'list:set'];

/** True if `type` is one that Setkeeper programs. */
export const isManagedType = (type: string): type is ManagedType => MANAGED_TYPES.some((known) => known === type);
