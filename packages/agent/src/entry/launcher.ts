/**
 * The launcher process: a small Node process that starts every child of the agent, because a fork from a process of
 * 650 MB stalls its event loop for 20 ms (KERNEL.md section 3). Started by the agent alone, over an IPC channel.
 */
import type { ToLauncher } from '../launcher/launcher-message.ts';
import { serveLauncher } from '../launcher/serve-launcher.ts';

const send = process.send?.bind(process);
if (send === undefined) {
  console.error('This program is started by the Setkeeper agent; it does nothing by itself.');
  process.exit(2);
}

// Signals to the process group (Ctrl-C) are the agent's to answer: it says when to end by closing the channel.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

/** Forwarded chunks live outside of V8's heap, where its collector sees them too late: it is told every 4 MiB. */
const COLLECT_EVERY_BYTES = 4 * 1024 * 1024;
let forwardedBytes = 0;
function collectForwarded(bytes: number): void {
  forwardedBytes += bytes;
  if (forwardedBytes < COLLECT_EVERY_BYTES) return;
  forwardedBytes = 0;
  globalThis.gc?.({ type: 'minor' });
}

await serveLauncher(
  {
    // A channel that closes while a message is under way ends this process anyway.
    send: (message) => {
      send(message, undefined, undefined, () => undefined);
      if (message.kind === 'output') collectForwarded(message.chunk.byteLength);
    },
    onMessage: (handler) => void process.on('message', (message) => handler(message as ToLauncher)),
    onGone: (handler) => void process.on('disconnect', handler),
  },
  () => process.exit(0),
);
