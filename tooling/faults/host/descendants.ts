import { readdirSync, readFileSync } from 'node:fs';
import { readProcesses, withDescendants } from '../../start/process-table.ts';

/** The launcher of an agent, if it runs now. */
export function launcherOf(agentPid: number): number | undefined {
  return childrenOf(agentPid).find((pid) => commandLine(pid).includes('launcher'));
}

/** The children of `ipset` that write or read for an agent now. */
export function ipsetChildrenOf(agentPid: number): readonly number[] {
  const launcher = launcherOf(agentPid);
  if (launcher === undefined) return [];
  return withDescendants(readProcesses(), new Set([launcher]))
    .map(({ pid }) => pid)
    .filter((pid) => commandName(pid) === 'ipset');
}

/** Open file descriptors of a process. */
export function descriptorCount(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Bytes that a process has in memory; pages that it shares count by its part. 0: it is gone. */
export function residentBytes(pid: number): number {
  const text = readOrEmpty(`/proc/${pid}/smaps_rollup`);
  return Number(/^Pss:\s+(\d+)/mu.exec(text)?.[1] ?? 0) * 1024;
}

function childrenOf(pid: number): readonly number[] {
  return readProcesses()
    .filter(({ parent }) => parent === pid)
    .map((entry) => entry.pid);
}

const commandLine = (pid: number): string => readOrEmpty(`/proc/${pid}/cmdline`);
const commandName = (pid: number): string => readOrEmpty(`/proc/${pid}/comm`).trim();

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
