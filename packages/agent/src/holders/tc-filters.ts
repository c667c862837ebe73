import type { Holder } from '@setkeeper/api';
import { commentText } from '@setkeeper/ipset';
import type { TcHook } from './holder-question.ts';
import type { KnownNames } from './known-names.ts';

/** Devices with a queueing discipline that can have filters, from `tc qdisc show` (`qdisc clsact ffff: dev eth0 ...`). */
export function parseTcDevices(text: string): ReadonlyMap<string, readonly TcHook[]> {
  const devices = new Map<string, TcHook[]>();
  for (const line of text.split('\n')) {
    const [, kind, device] = /^qdisc (\S+) \S+ dev (\S+)/u.exec(line) ?? [];
    if (kind === undefined || device === undefined || FILTERLESS.has(kind)) continue;
    const hooks = devices.get(device) ?? [];
    hooks.push(
      ...(kind === 'clsact'
        ? (['ingress', 'egress'] as const)
        : kind === 'ingress'
          ? (['ingress'] as const)
          : (['root'] as const)),
    );
    devices.set(device, hooks);
  }
  return devices;
}

/** Disciplines without classes, which never have filters: nearly every device has only these. */
const FILTERLESS: ReadonlySet<string> = new Set(['noqueue', 'pfifo_fast', 'pfifo', 'bfifo', 'mq']);

/**
 * Filters that use a set through the ematch `ipset(NAME src,dst)`, in the output of `tc filter show` (iproute2,
 * tc/em_ipset.c prints the name unquoted). Each mention is one reference.
 */
export function parseTcFilters(
  text: string,
  device: string,
  hook: TcHook,
  names: KnownNames,
): readonly (readonly [set: string, holder: Holder])[] {
  const holders: (readonly [string, Holder])[] = [];
  let filter = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('filter ')) filter = line;
    for (let at = line.indexOf(EMATCH); at >= 0; at = line.indexOf(EMATCH, at + EMATCH.length)) {
      const found = names.at(line, at + EMATCH.length);
      if (found === undefined) continue;
      const place = hook === 'root' ? device : `${device} ${hook}`;
      holders.push([
        found.name,
        { kind: 'tc', where: `dev ${place}: ${commentText(filter)}`, rule: commentText(line.trim()), count: 1 },
      ]);
    }
  }
  return holders;
}

const EMATCH = 'ipset(';
