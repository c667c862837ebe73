import {
  formatIp,
  type IpAddress,
  isNomatch,
  type Member,
  maskIpv4,
  matchAddress,
  memberKey,
  parseCidr,
  type SetHeader,
} from '@setkeeper/ipset';

/**
 * Tells which elements of a set can decide about an address: those whose first part is or contains it. What
 * `matchAddress` says of them it would say of the whole set, so a set of a million members need not be kept to be asked.
 */
export class AddressFilter {
  readonly address: IpAddress;
  readonly text: string;

  constructor(address: IpAddress) {
    this.address = address;
    this.text = formatIp(address);
  }

  /** For a plain IPv4 element as numbers: no allocation. */
  takesIpv4(value: number, prefixLength: number): boolean {
    return (
      this.address.family === 'inet' && maskIpv4(this.address.value, prefixLength) === maskIpv4(value, prefixLength)
    );
  }

  /** `element` is canonical, with its ` nomatch`. */
  takes(element: string, header: SetHeader): boolean {
    if (header.netmask !== null || header.bitmask !== null || header.type.startsWith('bitmap:'))
      return this.#asks(element, header);
    const key = isNomatch(element as Member) ? memberKey(element as Member) : element;
    const comma = key.indexOf(',');
    const first = comma < 0 ? key : key.slice(0, comma);
    if (!first.includes('/')) return first === this.text;
    const network = parseCidr(first);
    if (network?.address.family !== this.address.family) return false;
    if (network.address.family === 'inet') return this.takesIpv4(network.address.value, network.prefixLength);
    return this.#asks(element, header);
  }

  #asks(element: string, header: SetHeader): boolean {
    const { matched, excluded } = matchAddress(this.address, header, [element]);
    return matched || excluded;
  }
}
