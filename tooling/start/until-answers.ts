import { type RequestOptions, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A server and a path of it: on a unix socket or a TCP port of this machine. */
export type Door =
  | { readonly socketPath: string; readonly path: string }
  | { readonly host: string; readonly port: number; readonly path: string };

const pollMs = 50;
const requestTimeoutMs = 5_000;

/**
 * Resolves as soon as the door answers a GET with a status below 500. Rejects when `timeoutMs` are over (saying what the
 * last try said), or with the signal's reason.
 */
export async function untilAnswers(door: Door, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (let last = 'no answer'; ; ) {
    signal.throwIfAborted();
    const answer = await status(door, signal).catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
    signal.throwIfAborted();
    if (typeof answer === 'number' && answer < 500) return;
    last = typeof answer === 'number' ? `status ${answer}` : answer;
    if (performance.now() > end) throw new Error(`no answer within ${timeoutMs / 1000} s (${last})`);
    await delay(pollMs, undefined, { signal }).catch(() => {});
  }
}

function status(door: Door, signal: AbortSignal): Promise<number> {
  const options: RequestOptions = { ...door, signal, timeout: requestTimeoutMs, agent: false };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('timeout', () => sent.destroy(new Error('it accepts connections but does not answer')));
    sent.on('error', reject);
    sent.end();
  });
}
