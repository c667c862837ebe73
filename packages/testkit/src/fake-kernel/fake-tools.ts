import type { FakeKernel } from './fake-kernel.ts';
import { IpsetError } from './ipset-error.ts';
import { saveText, terseText } from './ipset-output.ts';
import { type StickyFlags, takeFlags } from './ipset-words.ts';

interface ToolEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The commands that only read: ipset's own, and the few others that the agent looks with. */
export function runOnce(file: string, args: readonly string[], kernel: FakeKernel): ToolEnd {
  const tool = file.slice(file.lastIndexOf('/') + 1);
  if (tool === 'ipset') return ipset(args, kernel);
  if (tool === 'cat') return said(proc(args[0] ?? '', kernel));
  if (tool === 'readlink') return said('net:[4026532000]\n');
  return { exitCode: 127, stdout: '', stderr: `${tool}: the fake launcher has no such tool\n` };
}

function ipset(all: readonly string[], kernel: FakeKernel): ToolEnd {
  if (all[0] === '--version') return said('ipset v7.17, protocol version: 7\n');
  const flags: StickyFlags = { exist: false, names: false, terse: false };
  const [command = '', name] = takeFlags(all, flags);
  try {
    const sets = name === undefined ? [...kernel.sets.values()] : [kernel.header(name)];
    if (command === 'save') return said(saveText(sets));
    if (command === 'list') {
      return said(
        flags.names ? sets.map((set) => `${set.name}\n`).join('') : terseText(sets, kernel, { isTerse: flags.terse }),
      );
    }
  } catch (error) {
    if (!(error instanceof IpsetError)) throw error;
    return { exitCode: 1, stdout: '', stderr: `ipset v7.17: ${error.message}\n` };
  }
  return { exitCode: 2, stdout: '', stderr: `ipset v7.17: No command specified: unknown argument ${command}\n` };
}

function proc(path: string, kernel: FakeKernel): string {
  switch (path) {
    case '/proc/self/status':
      return `CapEff:\t${kernel.faults.permission ? '0000000000000000' : '000001ffffffffff'}\n`;
    case '/proc/net/netlink':
      return `sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode\n${kernel.dumps.map((_, i) => `0 12 ${4_000_000 + i} 0 0 0 1 2 0 9\n`).join('')}`;
    default:
      return '';
  }
}

const said = (stdout: string): ToolEnd => ({ exitCode: 0, stdout, stderr: '' });
