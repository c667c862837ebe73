import { type HeldChild, holdChild } from './held-child.ts';
import type { FromLauncher, ToLauncher } from './launcher-message.ts';
import { trustedPath } from './trusted-path.ts';
import { takeWriterLock, type WriterLock } from './writer-lock.ts';

/** The channel to the agent, as a parameter so that the launcher can be tested without a process of its own. */
export interface AgentChannel {
  send(message: FromLauncher): void;
  onMessage(handler: (message: ToLauncher) => void): void;
  onGone(handler: () => void): void;
}

/**
 * The launcher: starts what the agent asks for, forwards its pipes, holds the writer lock, and nothing else. It decides
 * nothing and keeps nothing. When the agent is gone it kills its children and calls `exit`.
 */
export async function serveLauncher(channel: AgentChannel, exit: () => void): Promise<void> {
  const children = new Map<number, HeldChild>();
  const setpriv = await trustedPath('setpriv');
  let lock: WriterLock | null = null;

  const spawn = (request: Extract<ToLauncher, { kind: 'spawn' }>): void => {
    if (request.isWriter && lock === null) {
      channel.send({ kind: 'started', id: request.id, pid: null });
      const spawnError = 'nothing is written without the writer lock of this network namespace';
      channel.send({ kind: 'exit', id: request.id, exitCode: null, signal: null, spawnError });
      return;
    }
    const child = holdChild({
      request,
      setpriv,
      lockFd: request.isWriter ? (lock?.fd ?? null) : null,
      send: (message) => channel.send(message),
      onGone: () => children.delete(request.id),
    });
    children.set(request.id, child);
  };

  const takeLock = async (call: number, waitMs: number): Promise<void> => {
    try {
      lock ??= await takeWriterLock(waitMs);
      channel.send({ kind: 'lock', call, held: lock !== null, message: lock === null ? IN_USE : '' });
    } catch (error) {
      channel.send({
        kind: 'lock',
        call,
        held: false,
        message: `The writer lock could not be taken: ${String(error)}`,
      });
    }
  };

  channel.onMessage((message) => {
    switch (message.kind) {
      case 'spawn':
        return spawn(message);
      case 'write': {
        const child = children.get(message.id);
        return child === undefined
          ? channel.send({ kind: 'wrote', id: message.id, isTaken: false })
          : child.write(message.chunk);
      }
      case 'end':
        return children.get(message.id)?.end();
      case 'kill':
        return children.get(message.id)?.kill(message.signal);
      case 'credit':
        return children.get(message.id)?.credit(message.stream, message.bytes);
      case 'lock':
        return void takeLock(message.call, message.waitMs);
      case 'which':
        return void trustedPath(message.tool).then((path) => channel.send({ kind: 'which', call: message.call, path }));
    }
  });
  channel.onGone(() => {
    for (const child of children.values()) child.kill('SIGKILL');
    exit();
  });
  channel.send({ kind: 'ready', pid: process.pid });
}

const IN_USE =
  'Another Setkeeper agent (or a child of one that was killed) is writing the ipsets of this network namespace, and only one may: stop it first.';
