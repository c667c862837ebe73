/** Something to ask a reading tool: a closed list, so that whoever runs the tools for another process takes no command from it. */
export type HolderQuestion =
  | { readonly ask: 'rules'; readonly tool: SaveTool }
  | { readonly ask: 'nft-tables' }
  | { readonly ask: 'nft-table'; readonly family: string; readonly table: string }
  | { readonly ask: 'tc-qdiscs' }
  | { readonly ask: 'tc-filters'; readonly device: string; readonly hook: TcHook };

export const SAVE_TOOLS = [
  'iptables-nft-save',
  'ip6tables-nft-save',
  'iptables-legacy-save',
  'ip6tables-legacy-save',
  'iptables-save',
  'ip6tables-save',
] as const;
export type SaveTool = (typeof SAVE_TOOLS)[number];

/** Where tc keeps filters: at the root qdisc, or at one of the two hooks of clsact. */
export const TC_HOOKS = ['root', 'ingress', 'egress'] as const;
export type TcHook = (typeof TC_HOOKS)[number];

/** A program and its arguments. */
export interface HolderCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** A file of /proc that the program reads: without it, it would print nothing and end well (KERNEL.md section 7). */
  readonly needs?: string;
}

/**
 * The command of a question; undefined if a word of it cannot be said safely: nft joins its arguments and reads them as
 * a script, so a table's name is only taken in the form that nft itself accepts without quotes.
 */
export function holderCommand(question: HolderQuestion): HolderCommand | undefined {
  switch (question.ask) {
    case 'rules':
      return { program: question.tool, args: ['-c'], ...legacyTables(question.tool) };
    case 'nft-tables':
      return { program: 'nft', args: ['-j', 'list', 'tables'] };
    case 'nft-table': {
      const { family, table } = question;
      if (!NFT_FAMILIES.has(family) || !NFT_NAME.test(table)) return undefined;
      return { program: 'nft', args: ['-j', '-t', 'list', 'table', family, table] };
    }
    case 'tc-qdiscs':
      return { program: 'tc', args: ['qdisc', 'show'] };
    case 'tc-filters': {
      if (!DEVICE.test(question.device)) return undefined;
      const hook = question.hook === 'root' ? [] : [question.hook];
      return { program: 'tc', args: ['filter', 'show', 'dev', question.device, ...hook] };
    }
  }
}

const NFT_FAMILIES: ReadonlySet<string> = new Set(['ip', 'ip6', 'inet', 'arp', 'bridge', 'netdev']);
const NFT_NAME = /^[A-Za-z_][A-Za-z0-9_.\\/-]*$/u;
/** An interface name that is no option of tc: up to 15 of what dev_valid_name() takes, less what nobody uses. */
const DEVICE = /^[A-Za-z0-9_.@][A-Za-z0-9_.@-]{0,14}$/u;

function legacyTables(tool: SaveTool): { readonly needs?: string } {
  if (tool === 'iptables-legacy-save') return { needs: '/proc/net/ip_tables_names' };
  return tool === 'ip6tables-legacy-save' ? { needs: '/proc/net/ip6_tables_names' } : {};
}
