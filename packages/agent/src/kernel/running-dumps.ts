import { readFile } from 'node:fs/promises';
import type { Launcher } from '../launcher/launcher-client.ts';
import type { RunningDump } from './kernel-reader.ts';

/**
 * Processes with a netfilter dump under way in the launcher's network namespace (`/proc/net/netlink`: protocol 12,
 * `Dump` 1). Empty where /proc does not show it: a dump nobody sees is not an error. The port id is the process id for
 * every ipset that binds its socket itself (netlink(7)).
 */
export async function readRunningDumps(launcher: Launcher): Promise<readonly RunningDump[]> {
  const cat = await launcher.which('cat');
  if (cat === null) return [];
  const { stdout } = await launcher.run({ file: cat, args: ['/proc/net/netlink'], timeoutSeconds: 5 });
  return Promise.all(parseNetlinkDumps(Buffer.from(stdout).toString('latin1')).map(withCommand));
}

const NETLINK_NETFILTER = '12';

/** The port ids of sockets that dump, from the table's text. */
export function parseNetlinkDumps(table: string): readonly number[] {
  const [head = '', ...rows] = table.split('\n');
  const columns = head.trim().split(/\s+/);
  const [protocol, port, dump] = ['Eth', 'Pid', 'Dump'].map((name) => columns.indexOf(name));
  if (protocol === undefined || port === undefined || dump === undefined) return [];
  return rows.flatMap((row) => {
    const cells = row.trim().split(/\s+/);
    const isDump = cells[protocol] === NETLINK_NETFILTER && cells[dump] === '1';
    return isDump ? [Number(cells[port])] : [];
  });
}

async function withCommand(pid: number): Promise<RunningDump> {
  try {
    return { pid, command: (await readFile(`/proc/${pid}/comm`, 'utf8')).trim() };
  } catch {
    // Gone already, or hidden from us.
    return { pid, command: 'unknown' };
  }
}
