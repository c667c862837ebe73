import type { Unreadable } from '@setkeeper/api';
import type { Launcher } from '../launcher/launcher-client.ts';
import { type RulesReading, type RulesTool, readRules } from './rules-save.ts';

/** The save tools, each of its own variant and family. */
const TOOLS: readonly { readonly tool: RulesTool; readonly command: string; readonly proc: string | null }[] = [
  { tool: 'iptables-nft', command: 'iptables-nft-save', proc: null },
  { tool: 'ip6tables-nft', command: 'ip6tables-nft-save', proc: null },
  { tool: 'iptables-legacy', command: 'iptables-legacy-save', proc: '/proc/net/ip_tables_names' },
  { tool: 'ip6tables-legacy', command: 'ip6tables-legacy-save', proc: '/proc/net/ip6_tables_names' },
];

export interface RulesPorts {
  readonly launcher: Launcher;
  /** Whether a file of /proc can be read: `absent` where the kernel part is not loaded. */
  readonly probe: (path: string) => Promise<'readable' | 'absent' | 'forbidden'>;
}

/** Reads the rules of every variant that is installed; says what it could not read. */
export async function readAllRules(
  ports: RulesPorts,
  names: ReadonlySet<string>,
): Promise<{ readonly readings: readonly RulesReading[]; readonly unreadable: readonly Unreadable[] }> {
  const readings: RulesReading[] = [];
  const unreadable: Unreadable[] = [];
  for (const { tool, command, proc } of TOOLS) {
    const file = await ports.launcher.which(command);
    if (file === null) {
      unreadable.push({
        what: command,
        why: 'the tool is not installed',
        remedy: 'Install the Debian package iptables.',
      });
      continue;
    }
    if (proc !== null) {
      const state = await ports.probe(proc);
      // Without the legacy tables in the kernel there is no legacy rule, and the tool would load the table into the namespace.
      if (state === 'absent') continue;
      if (state === 'forbidden') {
        unreadable.push({
          what: command,
          why: `${proc} may not be read, so the tool would print no table although rules exist`,
          remedy: 'Give the reader group 0 or CAP_DAC_READ_SEARCH (the holders helper has it).',
        });
        continue;
      }
    }
    const result = await ports.launcher.run({ file, args: ['-c'], env: { LC_ALL: 'C' }, timeoutSeconds: 60 });
    const text = new TextDecoder().decode(result.stdout);
    const fault = faultOf(result, text);
    if (fault !== null) unreadable.push({ what: command, ...fault });
    if (result.exitCode === 0) readings.push(readRules(text, tool, names));
  }
  return { readings, unreadable };
}

function faultOf(
  result: {
    readonly exitCode: number | null;
    readonly signal: string | null;
    readonly stderr: string;
    readonly spawnError?: string;
    readonly truncated: boolean;
  },
  text: string,
): { why: string; remedy: string } | null {
  const words = result.stderr.trim();
  // Exit 0, but the rule that needs the set's name is missing from the output (KERNEL.md section 8).
  if (/Can't open socket to ipset/u.test(words))
    return { why: words, remedy: 'Give the reader CAP_NET_RAW (the holders helper has it).' };
  if (result.truncated)
    return { why: 'the output is larger than the limit', remedy: 'Holders in the part not read are unknown.' };
  if (result.exitCode === 0) return null;
  if (result.spawnError !== undefined) return { why: result.spawnError, remedy: 'See that the tool can be run.' };
  if (result.signal !== null)
    return {
      why: `ended by ${result.signal}${text === '' ? '' : ' with partial output'}`,
      remedy: 'It is read again.',
    };
  return {
    why: words === '' ? `exit status ${result.exitCode}` : words,
    remedy: 'Run the tool by hand as the same user.',
  };
}
