import type { Run } from '@setkeeper/api';
import type { AgentTools } from '../cli.ts';
import { ExitCode } from '../exit-code.ts';
import { type Tone, toneOf } from '../output/tone.ts';
import { followRun } from './follow-run.ts';

/** Prints a run that was just made: its final state, or with `--no-wait` as it is. Exit 1 unless it succeeded. */
export async function printRun(tools: AgentTools, started: Run, wait: boolean): Promise<ExitCode> {
  const run = wait ? await followRun(tools, started) : started;
  if (tools.out.isJson) await tools.out.json(run);
  else {
    await tools.out.line(runSentence(run), runTone(run));
    if (run.error !== undefined) await tools.out.line(`  ${run.error.code}: ${run.error.message}`, 'bad');
    if (run.phase === 'partly' || run.phase === 'failed')
      await tools.out.say(`see its failed lines: setkeeper run ${run.id} --lines bad`);
  }
  return exitCodeOfRun(run);
}

/** 0 for a run that succeeded or goes on; 1 for every other end. */
export const exitCodeOfRun = (run: Run): ExitCode =>
  run.phase === 'succeeded' || run.phase === 'running' ? ExitCode.done : ExitCode.incomplete;

/** A run in one sentence. */
export function runSentence(run: Run): string {
  const { applied, rejected, skipped, notRun } = run.operations;
  const counts = [`${applied} applied`];
  if (rejected > 0) counts.push(`${rejected} rejected`);
  if (skipped > 0) counts.push(`${skipped} skipped`);
  if (notRun > 0) counts.push(`${notRun} not run`);
  const sets = run.sets === 1 ? '1 set' : `${run.sets} sets`;
  return `run ${run.id} ${run.phase}: ${counts.join(', ')} in ${sets}, ${Math.round(run.durationMs)} ms`;
}

export const runTone = (run: Run): Tone => toneOf(run.phase);
