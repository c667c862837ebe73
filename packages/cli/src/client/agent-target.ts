import { readFileSync } from 'node:fs';
import { usageFailure } from '../failure.ts';

/** Where the agent is asked: its own socket, or a gateway with a token. `agent` names one of the gateway's agents. */
export type AgentTarget =
  | { readonly via: 'socket'; readonly path: string }
  | { readonly via: 'gateway'; readonly url: string; readonly token: string | undefined; readonly agent?: string };

/** The options that every command takes. */
export interface TargetOptions {
  readonly socket?: string;
  readonly url?: string;
  readonly tokenFile?: string;
  readonly agent?: string;
}

/** The admin socket of a packaged agent. */
export const defaultSocket = '/run/setkeeper/admin.sock';

/** Decides where to ask: `--socket`, `--url`, else `SETKEEPER_SOCKET`, else the default socket. Throws Failure for options that contradict. */
export function agentTarget(options: TargetOptions, env: Readonly<Record<string, string | undefined>>): AgentTarget {
  const { socket, url, tokenFile, agent } = options;
  if (socket !== undefined && url !== undefined) throw usageFailure('--socket and --url exclude each other');
  if (url === undefined) {
    if (tokenFile !== undefined) throw usageFailure('--token-file needs --url');
    if (agent !== undefined) throw usageFailure('--agent needs --url: a socket has one agent behind it');
    return { via: 'socket', path: socket ?? env.SETKEEPER_SOCKET ?? defaultSocket };
  }
  return {
    via: 'gateway',
    url: gatewayUrl(url),
    token: tokenFile === undefined ? undefined : readToken(tokenFile),
    ...(agent === undefined ? {} : { agent }),
  };
}

function gatewayUrl(text: string): string {
  if (!URL.canParse(text)) throw usageFailure(`${text} is not a URL`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw usageFailure('--url is an http or https URL');
  return url.origin;
}

function readToken(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw usageFailure(`the token file ${file} cannot be read: ${cause instanceof Error ? cause.message : 'unknown'}`);
  }
  if (!/^[\x21-\x7e]{16,512}$/u.test(text)) throw usageFailure(`the token file ${file} does not hold one token`);
  return text;
}

/** The tRPC address of a target. A socket's host name is never looked up. */
export function trpcAddress(target: AgentTarget): string {
  if (target.via === 'socket') return 'http://agent/api/trpc';
  return target.agent === undefined
    ? `${target.url}/api/trpc`
    : `${target.url}/api/hosts/${encodeURIComponent(target.agent)}/trpc`;
}
