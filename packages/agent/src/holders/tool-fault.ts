import type { Unreadable } from '@setkeeper/api';
import type { ToolAnswer } from './holder-tools.ts';

/** Why a tool's answer is not, or not surely, the whole truth, and what would help; null if it is. */
export function toolFault(what: string, answer: ToolAnswer): Unreadable | null {
  switch (answer.kind) {
    case 'missing':
      return { what, why: 'the tool is not installed', remedy: `Install the Debian package ${packageOf(what)}.` };
    case 'not-needed':
      return null;
    case 'unspeakable':
      return { what, why: 'its name cannot be said safely to the tool', remedy: 'Look at it by hand.' };
    case 'hidden':
      return {
        what,
        why: `${answer.why}, so the tool would print no table although rules exist`,
        remedy: 'Give the reader group 0 or CAP_DAC_READ_SEARCH, and the whole of /proc (the holders helper has both).',
      };
    case 'ran':
      return exitFault(what, answer);
  }
}

function exitFault(what: string, { exit, stderr }: Extract<ToolAnswer, { readonly kind: 'ran' }>): Unreadable | null {
  // Exit 0, but the rule whose set it cannot name is missing from the output (KERNEL.md section 8).
  if (stderr.includes("Can't open socket to ipset")) {
    return {
      what,
      why: `${firstLine(stderr)}: rules that use sets are missing from its output`,
      remedy: 'Give the reader CAP_NET_RAW (the holders helper has it).',
    };
  }
  if (exit.exitCode === 0) return null;
  if (exit.spawnError !== undefined) return { what, why: exit.spawnError, remedy: 'See that the tool can be run.' };
  if (exit.timedOut === true) return { what, why: 'it did not end in time', remedy: 'It is read again later.' };
  if (exit.signal !== null) return { what, why: `it was ended by ${exit.signal}`, remedy: 'It is read again later.' };
  const why = stderr === '' ? `it ended with exit status ${exit.exitCode}` : firstLine(stderr);
  const isDenied = /permission denied|operation not permitted|must be root/iu.test(stderr);
  return {
    what,
    why,
    remedy: isDenied
      ? 'Give the reader CAP_NET_ADMIN and CAP_NET_RAW in this network namespace (the holders helper has them).'
      : `Run ${what} by hand as the same user.`,
  };
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

function packageOf(what: string): string {
  if (what.startsWith('nft')) return 'nftables';
  return what.startsWith('tc') ? 'iproute2' : 'iptables';
}
