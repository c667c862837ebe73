/** An IP address. IPv4 as an unsigned 32-bit number, IPv6 as eight 16-bit groups, both most significant first. */
export type IpAddress =
  | { readonly family: 'inet'; readonly value: number }
  | { readonly family: 'inet6'; readonly groups: readonly number[] };

/** An address with a prefix length; `hostBits` tells that bits beyond it were set (they are kept in `address`). */
export interface IpNetwork {
  readonly address: IpAddress;
  readonly prefixLength: number;
  readonly hostBits: boolean;
}

export function parseIp(_text: string): IpAddress | undefined {
  throw new Error('not written yet');
}

export function parseCidr(_text: string): IpNetwork | undefined {
  throw new Error('not written yet');
}

export function formatIp(_address: IpAddress): string {
  throw new Error('not written yet');
}
