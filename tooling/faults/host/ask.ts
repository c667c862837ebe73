import { type RequestOptions, request } from 'node:http';

/** Where a request goes: a unix socket, or a port of 127.0.0.1. */
export type Door = { readonly socketPath: string } | { readonly host: string; readonly port: number };

export interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookie: string | undefined;
}

const ANSWER_MS = 60_000;

/** Asks once; rejects when the connection fails. */
export function ask(door: Door, { method = 'GET', path, body, headers = {} }: Asked): Promise<Answer> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const options: RequestOptions = {
    ...door,
    method,
    path,
    agent: false,
    headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          text,
          cookie: answer.headers['set-cookie']?.[0]?.split(';')[0],
        }),
      );
      answer.on('error', reject);
    });
    sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error(`${path}: no answer within ${ANSWER_MS / 1000} s`)));
    sent.on('error', reject);
    sent.end(json);
  });
}

/** The status of an answer that may never end, such as a stream: the connection is left as soon as it is known. */
export function statusOf(door: Door, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...door, path, agent: false, headers }, (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.destroy();
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Asks a verb: a query with its input in the address, an act with it as the body. Throws the refusal's code and words. */
export async function askVerb<T>(
  door: Door,
  kind: 'query' | 'act',
  verb: string,
  input: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const query = kind === 'query' && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : '';
  const { status, text } = await ask(door, {
    method: kind === 'query' ? 'GET' : 'POST',
    path: `/api/trpc/${verb}${query}`,
    ...(kind === 'query' ? {} : { body: input ?? {} }),
    headers,
  });
  const answer = parse(text);
  if (status === 200 && answer?.result !== undefined) return answer.result.data as T;
  throw new Error(`${verb}: ${status} ${answer?.error?.data?.code ?? ''} ${text.slice(0, 300)}`);
}

interface WireAnswer {
  readonly result?: { readonly data: unknown };
  readonly error?: { readonly data?: { readonly code?: string } };
}

function parse(text: string): WireAnswer | undefined {
  try {
    return JSON.parse(text) as WireAnswer;
  } catch {
    return undefined;
  }
}
