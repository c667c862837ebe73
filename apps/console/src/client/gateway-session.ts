'use client';

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { faultOf, parseErrorBody } from './api-fault.ts';

/** Who the gateway takes this browser for. */
export interface GatewaySession {
  readonly isLoginNeeded: boolean;
  readonly hasLogins: boolean;
  readonly isFirstAdminMissing: boolean;
  readonly name: string | null;
  readonly role: string | null;
  readonly expiresAt: string | null;
  readonly hosts: readonly string[];
}

/** The gateway refused; carries the body it sent. */
export class GatewayRefusal extends Error {
  readonly meta: { readonly responseJSON: unknown; readonly response: { readonly status: number } };

  constructor(status: number, body: unknown) {
    super(parseErrorBody(body)?.message ?? `the gateway answered ${status}`);
    this.meta = { responseJSON: body, response: { status } };
  }
}

/** Asks one of the gateway's own JSON addresses. Throws GatewayRefusal for a refusal. */
export async function askGateway(path: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(path, {
    credentials: 'same-origin',
    signal: AbortSignal.timeout(15_000),
    ...init,
    headers: { accept: 'application/json', ...(init.body === undefined ? {} : { 'content-type': 'application/json' }) },
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new GatewayRefusal(response.status, body);
  return body;
}

const withoutLogins: GatewaySession = {
  isLoginNeeded: false,
  hasLogins: false,
  isFirstAdminMissing: false,
  name: null,
  role: null,
  expiresAt: null,
  hosts: [],
};

/** Reads the gateway's answer about this session; what it leaves out is taken as absent. */
export function parseSession(body: unknown): GatewaySession {
  if (typeof body !== 'object' || body === null) return withoutLogins;
  const fields = body as Record<string, unknown>;
  const user = fields.user;
  const name = typeof user === 'string' ? user : textIn(user, 'name');
  const hasLogins = fields.loginsEnabled === true;
  return {
    hasLogins,
    isLoginNeeded: hasLogins && name === null,
    isFirstAdminMissing: fields.firstAdminMissing === true,
    name,
    role: textIn(fields, 'role') ?? textIn(user, 'role'),
    expiresAt: textIn(fields, 'expiresAt'),
    hosts: namesIn(fields.hosts),
  };
}

function textIn(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const text = (value as Record<string, unknown>)[key];
  return typeof text === 'string' ? text : null;
}

function namesIn(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => (typeof entry === 'string' ? [entry] : (textIn(entry, 'name') ?? [])));
}

/** Follows who is logged in; a gateway without `/api/session` has no logins. */
export function useGatewaySession(): UseQueryResult<GatewaySession> {
  return useQuery({
    queryKey: ['gateway', 'session'],
    queryFn: async () => {
      try {
        return parseSession(await askGateway('/api/session'));
      } catch (error) {
        if (error instanceof GatewayRefusal && error.meta.response.status === 404) return withoutLogins;
        if (faultOf(error).code === 'unauthenticated')
          return { ...withoutLogins, hasLogins: true, isLoginNeeded: true };
        throw error;
      }
    },
    refetchInterval: 60_000,
    staleTime: 30_000,
    gcTime: Number.POSITIVE_INFINITY,
  });
}
