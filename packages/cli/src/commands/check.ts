import type { Problem, ProblemCode, Status } from '@setkeeper/api';
import { collectArgument } from '../arguments/count.ts';
import type { AddCommand } from '../cli.ts';
import { createAgentClient } from '../client/agent-client.ts';
import { agentTarget } from '../client/agent-target.ts';
import { wireFailure } from '../client/wire-failure.ts';
import type { ExitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';
import { harmless } from '../output/harmless.ts';
import { problemCodes } from './problem-codes.ts';

interface CheckOptions {
  readonly warn?: readonly string[];
  readonly critical?: readonly string[];
}

/** The states of a monitoring plug-in, which are its exit statuses. */
const states = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'] as const;
type State = 0 | 1 | 2 | 3;

/** `check`: a monitoring plug-in: one line, exit 0 ok, 1 warning, 2 critical, 3 unknown (also when no agent answers). */
export const addCheck: AddCommand = (program, cli) => {
  program
    .command('check')
    .description('monitoring plug-in: one line, exit 0 ok, 1 warning, 2 critical, 3 unknown')
    .option('--warn <codes>', 'problem codes that are warnings, with commas', collectArgument)
    .option('--critical <codes>', 'problem codes that are critical, with commas', collectArgument)
    .action(
      cli.local(async ({ world, out, options }, given: CheckOptions) => {
        const { state, line, status } = await judge();
        if (out.isJson) await out.json({ state: states[state], exit: state, line, problems: status?.problems ?? [] });
        else await out.line(line);
        return state as ExitCode;

        async function judge(): Promise<{ state: State; line: string; status?: Status }> {
          const warn = codesOf(given.warn);
          const critical = codesOf(given.critical);
          const wrong = [...warn, ...critical].find((code) => !problemCodes.has(code as ProblemCode));
          if (wrong !== undefined) return { state: 3, line: `SETKEEPER UNKNOWN - ${wrong} is no problem code` };
          try {
            const target = agentTarget(options, world.env);
            const client = createAgentClient(target, world.loginUser());
            try {
              const status = await client.api.status.get.query();
              return { ...verdict(status, { warn, critical }), status };
            } catch (error) {
              throw wireFailure(error, target);
            } finally {
              await client.close();
            }
          } catch (error) {
            if (error instanceof Failure) return { state: 3, line: `SETKEEPER UNKNOWN - ${error.message}` };
            throw error;
          }
        }
      }),
    );
};

const codesOf = (given: readonly string[] | undefined): readonly string[] =>
  (given ?? []).flatMap((codes) => codes.split(',')).filter((code) => code !== '');

/** The worst problem decides; codes named on the command line count as they were named, the others by their severity. */
function verdict(
  status: Status,
  named: { readonly warn: readonly string[]; readonly critical: readonly string[] },
): { state: State; line: string } {
  const stateOf = (problem: Problem): State => {
    if (named.critical.includes(problem.code)) return 2;
    if (named.warn.includes(problem.code)) return 1;
    return problem.severity === 'critical' ? 2 : problem.severity === 'warning' ? 1 : 0;
  };
  let state: State = 0;
  for (const problem of status.problems) if (stateOf(problem) > state) state = stateOf(problem);
  const codes = [...new Set(status.problems.filter((problem) => stateOf(problem) > 0).map((problem) => problem.code))];
  const sets = status.sets;
  const numbers = [
    `sets=${sets.total}`,
    `live=${sets.live}`,
    `dirty=${sets.dirty}`,
    `drifted=${sets.drifted}`,
    `failed=${sets.failed}`,
    `unknown=${sets.unknown}`,
    `held=${status.held}`,
    `leftovers=${status.leftovers}`,
    `leaks=${status.leaks}`,
  ];
  const detail = codes.length > 0 ? ` [${codes.join(', ')}]` : '';
  // A bar would end the words and begin the numbers, so none may come from a sentence.
  const sentence = harmless(status.sentence).replaceAll('|', '/');
  return { state, line: `SETKEEPER ${states[state]} - ${sentence}${detail} | ${numbers.join(' ')}` };
}
