import { isIPv4, isIPv6 } from 'node:net';

/** Where to listen. `host` is an address, never a name that would be looked up. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly isLoopback: boolean;
}

/** `127.0.0.1:8470`, `[::1]:8470`, `localhost:8470`; undefined for anything else. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+|localhost)):([0-9]{1,5})$/u.exec(text);
  const host = match?.[1] ?? (match?.[2] === 'localhost' ? '127.0.0.1' : match?.[2]);
  const port = Number(match?.[3]);
  if (host === undefined || port > 65_535) return undefined;
  if (match?.[1] === undefined ? !isIPv4(host) : !isIPv6(host)) return undefined;
  return { host, port, isLoopback: isLoopbackAddress(host) };
}

/** Whether an address is of this machine alone: 127.0.0.0/8, ::1, and the first as mapped into IPv6. */
export function isLoopbackAddress(address: string): boolean {
  const ipv4 = address.replace(/^::ffff:/iu, '');
  if (isIPv4(ipv4)) return ipv4.startsWith('127.');
  return isIPv6(address) && /^(?:0*:)*0*1$/u.test(address.replace('::', ':0:'));
}
