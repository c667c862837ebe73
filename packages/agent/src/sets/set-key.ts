import type { Family, GroupId } from '@setkeeper/ipset';

/** One group in one family (a list: null): what tells two managed sets apart, whatever their kernel names. */
export type SetKey = string & { readonly __brand: 'SetKey' };

export const setKey = (group: GroupId, family: Family | null): SetKey => `${family ?? 'list'} ${group}` as SetKey;
