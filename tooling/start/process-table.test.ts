import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { endProcesses, findLeftBehind, startMarker } from './left-behind.ts';
import { hasInEnvironment, readProcess, readProcesses, withDescendants } from './process-table.ts';

const entry = (pid: number, parent: number) => ({ pid, parent, startTicks: '1' });

describe('process table', () => {
  it('finds a process and all its descendants in any order, and nobody else', () => {
    const table = [entry(5, 4), entry(4, 3), entry(3, 1), entry(9, 1), entry(6, 3)];
    const pids = withDescendants(table, new Set([3])).map(({ pid }) => pid);
    expect(pids.sort()).toEqual([3, 4, 5, 6]);
  });

  it('reads this process, and knows one that is gone', async () => {
    expect(readProcess(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid });
    expect(readProcesses().map(({ pid }) => pid)).toContain(process.pid);
    const child = spawn('true');
    await once(child, 'exit');
    expect(child.pid === undefined || readProcess(child.pid) === undefined).toBe(true);
  });
});

describe('what a start left behind', () => {
  it('is found by its mark with its unmarked children, and ended', async () => {
    const mark = `test-${process.pid}`;
    // The inner sleep ignores the polite signal and has lost the mark: it must go all the same.
    const script = `env -u ${startMarker} sh -c 'trap "" TERM; echo ready; while :; do sleep 600; done' & wait`;
    const child = spawn('sh', ['-c', script], {
      env: { ...process.env, [startMarker]: mark },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    const found = findLeftBehind(mark);
    expect(found.length).toBeGreaterThanOrEqual(2);
    expect(hasInEnvironment(child.pid ?? 0, `${startMarker}=${mark}`)).toBe(true);
    await endProcesses(found, 50);
    await ended;
    expect(found.filter(({ pid, startTicks }) => readProcess(pid)?.startTicks === startTicks)).toEqual([]);
  });
});
