/** The protocols of a model's named ports, with their numbers. */
export const PORT_PROTOCOLS = { tcp: 6, udp: 17, sctp: 132 } as const;

/**
 * The number of a protocol that ipset printed by name or by number, or -1. ipset prints names from /etc/protocols, and
 * numbers on a host without that file (measured); the same element must compare equal in both forms.
 */
export function protocolNumber(text: string): number {
  if (text === 'tcp') return 6;
  if (text === 'udp') return 17;
  return NUMBERS.get(text) ?? readNumber(text);
}

/** The name that ipset prints for a protocol number where /etc/protocols is complete; else the number. */
export const protocolName = (number: number): string => NAMES.get(number) ?? String(number);

const NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'ip'],
  [1, 'icmp'],
  [2, 'igmp'],
  [3, 'ggp'],
  [4, 'ipencap'],
  [5, 'st'],
  [6, 'tcp'],
  [8, 'egp'],
  [9, 'igp'],
  [12, 'pup'],
  [17, 'udp'],
  [20, 'hmp'],
  [22, 'xns-idp'],
  [27, 'rdp'],
  [29, 'iso-tp4'],
  [33, 'dccp'],
  [36, 'xtp'],
  [37, 'ddp'],
  [38, 'idpr-cmtp'],
  [41, 'ipv6'],
  [43, 'ipv6-route'],
  [44, 'ipv6-frag'],
  [45, 'idrp'],
  [46, 'rsvp'],
  [47, 'gre'],
  [50, 'esp'],
  [51, 'ah'],
  [57, 'skip'],
  [58, 'ipv6-icmp'],
  [59, 'ipv6-nonxt'],
  [60, 'ipv6-opts'],
  [73, 'rspf'],
  [81, 'vmtp'],
  [88, 'eigrp'],
  [89, 'ospf'],
  [93, 'ax.25'],
  [94, 'ipip'],
  [97, 'etherip'],
  [98, 'encap'],
  [103, 'pim'],
  [108, 'ipcomp'],
  [112, 'vrrp'],
  [115, 'l2tp'],
  [124, 'isis'],
  [132, 'sctp'],
  [133, 'fc'],
  [135, 'mobility-header'],
  [136, 'udplite'],
  [137, 'mpls-in-ip'],
  [138, 'manet'],
  [139, 'hip'],
  [140, 'shim6'],
  [141, 'wesp'],
  [142, 'rohc'],
]);

const NUMBERS: ReadonlyMap<string, number> = new Map(Array.from(NAMES, ([number, name]) => [name, number]));

function readNumber(text: string): number {
  return /^(?:0|[1-9][0-9]{0,2})$/.test(text) && Number(text) <= 255 ? Number(text) : -1;
}
