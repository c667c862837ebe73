import { ClientChild } from '../launcher/client-child.ts';
import { type HeldChild, holdChild } from '../launcher/held-child.ts';
import type { Launcher, SpawnRequest } from '../launcher/launcher-client.ts';
import type { ToLauncher } from '../launcher/launcher-message.ts';
import { trustedPath } from '../launcher/trusted-path.ts';

const CHILD_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Starts children from this process itself, with the launcher's own rules for tools, environment and pipes: for a
 * process that is small enough to fork cheaply.
 */
export function localChildren(): Pick<Launcher, 'spawn' | 'which'> {
  let lastNumber = 0;
  return {
    which: trustedPath,
    spawn: (request) => startChild(++lastNumber, request),
  };
}

function startChild(id: number, { file, args, env, timeoutSeconds, ...handlers }: SpawnRequest): ClientChild {
  let held: HeldChild | null = null;
  const child = new ClientChild(id, { file, args, ...handlers }, (message) => {
    if (held !== null) deliver(held, message);
  });
  held = holdChild({
    request: {
      kind: 'spawn',
      id,
      file,
      args,
      env: { PATH: CHILD_PATH, ...env },
      isWriter: false,
      timeoutMs: (timeoutSeconds ?? 0) * 1000,
    },
    setpriv: null,
    lockFd: null,
    send: (message) => {
      if ('id' in message) child.receive(message);
    },
    onGone: () => undefined,
  });
  return child;
}

function deliver(held: HeldChild, message: ToLauncher): void {
  switch (message.kind) {
    case 'write':
      held.write(message.chunk);
      break;
    case 'end':
      held.end();
      break;
    case 'kill':
      held.kill(message.signal);
      break;
    case 'credit':
      held.credit(message.stream, message.bytes);
      break;
    case 'spawn':
    case 'lock':
    case 'which':
      break;
  }
}
