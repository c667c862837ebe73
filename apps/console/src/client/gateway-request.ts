import { parseErrorBody } from './api-fault.ts';

/** The gateway refused one of its own addresses; carries the body it sent. */
export class GatewayRefusal extends Error {
  readonly meta: { readonly responseJSON: unknown; readonly response: { readonly status: number } };

  constructor(status: number, body: unknown) {
    super(parseErrorBody(body)?.message ?? `the gateway answered ${status}`);
    this.meta = { responseJSON: body, response: { status } };
  }
}

const secondsMax = 15;

/** Asks one of the gateway's own JSON addresses; with a body it is a POST. Throws GatewayRefusal for a refusal. */
export async function askGateway(path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.timeout(secondsMax * 1_000),
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new GatewayRefusal(response.status, answer);
  return answer;
}
