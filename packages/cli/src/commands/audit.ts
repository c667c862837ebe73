import { countArgument } from '../arguments/count.ts';
import type { AddCommand } from '../cli.ts';
import { ExitCode } from '../exit-code.ts';
import { printList } from './print-list.ts';

interface AuditOptions {
  readonly verify?: true;
  readonly actor?: string;
  readonly verb?: string;
  readonly filter?: string;
  readonly limit?: number;
}

/** `audit`: who did what, newest first; `--verify` checks the chain and exits 1 if it is broken. */
export const addAudit: AddCommand = (program, cli) => {
  program
    .command('audit')
    .description('who did what, newest first')
    .option('--verify', 'check that no entry was changed or cut out')
    .option('--actor <name>', 'only acts of this one')
    .option('--verb <verb>', 'only this verb, e.g. plan.apply')
    .option('--filter <text>', 'only entries with this in them')
    .option('--limit <n>', 'only the newest', countArgument(1))
    .action(
      cli.asking(async ({ api, out }, { verify, limit, ...filters }: AuditOptions) => {
        if (verify === true) {
          const result = await api.audit.verify.query();
          if (out.isJson) await out.json(result);
          else {
            await out.line(result.detail, result.ok ? 'good' : 'bad');
            await out.facts([
              ['entries', String(result.entries)],
              ['head', result.head],
              ...(result.brokenAt === undefined ? [] : [['broken at', result.brokenAt] as const]),
            ]);
          }
          return result.ok ? ExitCode.done : ExitCode.incomplete;
        }
        await printList(out, {
          fetchPage: (page) => api.audit.list.query({ ...page, ...filters }),
          limit,
          columns: [
            { head: 'at', cell: (entry) => entry.at },
            {
              head: 'actor',
              cell: (entry) => (entry.claimed === undefined ? entry.actor : `${entry.actor} (${entry.claimed})`),
            },
            { head: 'role', cell: (entry) => entry.role },
            { head: 'verb', cell: (entry) => entry.verb },
            { head: 'input', cell: (entry) => entry.input },
            { head: 'result', cell: (entry) => entry.result },
          ],
          empty: 'the audit holds no such entry',
        });
        return undefined;
      }),
    );
};
