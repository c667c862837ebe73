import { readFile } from 'node:fs/promises';
import type { AgentConfig, GuardVerdict, ModelFiles, OfflinePlan, PlanBase } from '@setkeeper/agent';
import type { Tools } from '../cli.ts';
import { ExitCode } from '../exit-code.ts';
import { type Failure, usageFailure } from '../failure.ts';
import type { Output } from '../output/output.ts';
import { printPlan } from './print-plan.ts';

/** What `plan --model` asks about. */
export interface OfflineOptions {
  readonly model: string;
  readonly against?: string;
  readonly againstSave?: string;
  readonly host?: string;
  readonly config?: string;
}

/**
 * What a change of model documents would do, without agent, privileges or ipset; exit 1 if the guard would hold it or a
 * document has a fault.
 */
export async function offlinePlanCommand({ out, world }: Tools, options: OfflineOptions): Promise<ExitCode> {
  if (options.against !== undefined && options.againstSave !== undefined)
    throw usageFailure('--against and --against-save exclude each other');
  // Loaded only here: it brings the agent's model with it.
  const { offlinePlan } = await import('@setkeeper/agent');
  const config = await configOf(options.config);
  const plan = await offlinePlan({
    model: await filesOf(options.model),
    against: await baseOf(options, () => world.stdin.read()),
    host: options.host ?? null,
    ...(config === undefined ? {} : { config }),
  });
  if (out.isJson) await out.json(plan);
  else await printAll(out, plan);
  return plan.guard.held || plan.faults.length > 0 ? ExitCode.incomplete : ExitCode.done;
}

async function printAll(out: Output, plan: OfflinePlan): Promise<void> {
  await printPlan(out, plan);
  for (const { file, line, path, reason } of plan.faults)
    await out.say(`fault: ${file}:${line}: ${path === '' ? '' : `${path}: `}${reason}`, 'bad');
  for (const note of plan.notes) await out.say(note, 'warn');
  await printVerdict(out, plan.guard);
}

async function printVerdict(out: Output, guard: GuardVerdict): Promise<void> {
  if (!guard.held) {
    await out.say('guard: it would pass', 'good');
    return;
  }
  await out.say(`guard: it would be HELD, with ${guard.removes} removals`, 'bad');
  for (const why of guard.why) await out.say(`  ${why}`, 'bad');
}

async function filesOf(path: string): Promise<ModelFiles> {
  const { readModelDirectory } = await import('@setkeeper/agent');
  const read = await readModelDirectory(path);
  if (!read.ok) throw usageFailure(`${path} is no model: ${read.reason}`);
  return read.files;
}

async function baseOf({ against, againstSave }: OfflineOptions, readInput: () => Promise<string>): Promise<PlanBase> {
  if (against !== undefined) return { kind: 'model', files: await filesOf(against) };
  if (againstSave === undefined) return { kind: 'nothing' };
  const save = againstSave === '-' ? Buffer.from(await readInput(), 'latin1') : await bytesOf(againstSave);
  return { kind: 'save', save };
}

async function configOf(path: string | undefined): Promise<AgentConfig | undefined> {
  if (path === undefined) return undefined;
  const { ConfigError, parseAgentConfig } = await import('@setkeeper/agent');
  try {
    return parseAgentConfig(Buffer.from(await bytesOf(path)).toString('utf8'), path);
  } catch (error) {
    if (error instanceof ConfigError) throw usageFailure(error.message);
    throw error;
  }
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

const unreadable = (path: string, cause: unknown): Failure =>
  usageFailure(`${path} cannot be read: ${cause instanceof Error ? cause.message : 'unknown'}`);
