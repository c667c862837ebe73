import { access, constants } from 'node:fs/promises';
import type { Launcher } from '../launcher/launcher-client.ts';
import { type HolderCommand, holderCommand } from './holder-question.ts';
import type { HolderTools, ToolAnswer } from './holder-tools.ts';

/** Whether a file of /proc is there, and may be read. */
export type ProbeFile = (path: string) => Promise<'readable' | 'absent' | 'forbidden'>;

/** The part of a launcher that is needed here. */
type Children = Pick<Launcher, 'spawn' | 'which'>;

/** Runs the tools through the launcher, with the rights of whoever started it. */
export function launchedHolderTools(launcher: Children, probe: ProbeFile = probeFile): HolderTools {
  return {
    ask: async (question, onStdout) => {
      const command = holderCommand(question);
      if (command === undefined) return { kind: 'unspeakable' };
      const file = await launcher.which(command.program);
      if (file === null) return { kind: 'missing' };
      return (await whyNotRun(command, probe)) ?? run(launcher, file, command.args, onStdout);
    },
  };
}

async function whyNotRun({ needs }: HolderCommand, probe: ProbeFile): Promise<ToolAnswer | null> {
  if (needs === undefined) return null;
  switch (await probe(needs)) {
    case 'readable':
      return null;
    case 'forbidden':
      return { kind: 'hidden', why: `${needs} may not be read` };
    case 'absent': {
      // Without legacy tables in the kernel there is no legacy rule. But where /proc itself is cut down, nobody knows.
      const isProcWhole = (await probe('/proc/net/netlink')) === 'readable';
      return isProcWhole ? { kind: 'not-needed' } : { kind: 'hidden', why: '/proc/net is hidden from this process' };
    }
  }
}

const STDERR_BYTES_MAX = 16 * 1024;

async function run(
  launcher: Children,
  file: string,
  args: readonly string[],
  onStdout: (chunk: Uint8Array) => void,
): Promise<ToolAnswer> {
  const stderr: Uint8Array[] = [];
  let stderrBytes = 0;
  const child = launcher.spawn({
    file,
    args,
    env: { LC_ALL: 'C' },
    timeoutSeconds: TIMEOUT_SECONDS,
    onStdout,
    onStderr: (chunk) => {
      if (stderrBytes < STDERR_BYTES_MAX) stderr.push(chunk);
      stderrBytes += chunk.byteLength;
    },
  });
  child.end();
  const exit = await child.exit;
  return { kind: 'ran', exit, stderr: Buffer.concat(stderr).toString('utf8').trim() };
}

/** A hundred thousand rules take iptables-nft-save seconds; a minute is a tool that hangs. */
const TIMEOUT_SECONDS = 60;

async function probeFile(path: string): Promise<'readable' | 'absent' | 'forbidden'> {
  try {
    await access(path, constants.R_OK);
    return 'readable';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'absent' : 'forbidden';
  }
}
