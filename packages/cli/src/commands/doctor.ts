import type { DoctorCheck } from '@setkeeper/api';
import type { AddCommand, AgentTools } from '../cli.ts';
import { wireFailure } from '../client/wire-failure.ts';
import { ExitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';

/** `doctor`: the most likely installation mistakes, each checked now. An agent that does not answer is the first of them (exit 4). */
export const addDoctor: AddCommand = (program, cli) => {
  program
    .command('doctor')
    .description('the most likely installation mistakes, each checked now')
    .action(
      cli.asking(async (tools) => {
        const { checks, exitCode } = await examine(tools);
        if (tools.out.isJson) await tools.out.json(checks);
        else
          for (const { check, ok, detail, remedy } of checks) {
            await tools.out.line(`${ok ? 'ok  ' : 'FAIL'}  ${check}: ${detail}`, ok ? 'good' : 'bad');
            if (!ok && remedy !== undefined) await tools.out.line(`      remedy: ${remedy}`);
          }
        return exitCode;
      }),
    );
};

async function examine({ api, agent }: AgentTools): Promise<{ checks: readonly DoctorCheck[]; exitCode: ExitCode }> {
  const reached: DoctorCheck = { check: 'agent reachable', ok: true, detail: `it answers at ${placeOf(agent.target)}` };
  try {
    return { checks: [reached, ...(await api.doctor.run.query())], exitCode: ExitCode.done };
  } catch (error) {
    const failure = wireFailure(error, agent.target);
    if (!(failure instanceof Failure) || failure.exitCode !== ExitCode.unreachable) throw failure;
    const remedy = failure.notes.find((note) => note.startsWith('remedy: '))?.slice('remedy: '.length);
    return {
      checks: [{ ...reached, ok: false, detail: failure.message, ...(remedy === undefined ? {} : { remedy }) }],
      exitCode: ExitCode.unreachable,
    };
  }
}

const placeOf = (target: AgentTools['agent']['target']): string => (target.via === 'socket' ? target.path : target.url);
