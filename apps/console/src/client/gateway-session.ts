'use client';

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { faultOf } from './api-fault.ts';
import { askGateway, GatewayRefusal } from './gateway-request.ts';

/** Who the gateway takes this browser for. */
export interface GatewaySession {
  /** False: everybody who reaches this loopback address is the operator `local`. */
  readonly hasLogins: boolean;
  readonly isLoginNeeded: boolean;
  readonly isFirstAdminNeeded: boolean;
  readonly mustChangePassword: boolean;
  readonly name: string | null;
  readonly role: string | null;
  /** When the session ends unless something is done, in this browser's milliseconds. */
  readonly endsAtMs: number | null;
  /** The agents behind this gateway; the first is the one without `?host=`. */
  readonly hosts: readonly string[];
}

const withoutLogins: GatewaySession = {
  hasLogins: false,
  isLoginNeeded: false,
  isFirstAdminNeeded: false,
  mustChangePassword: false,
  name: null,
  role: null,
  endsAtMs: null,
  hosts: [],
};

type Fields = Readonly<Record<string, unknown>>;

/** Reads the gateway's answer about this session; what it leaves out is taken as absent. */
export function parseSession(body: unknown, nowMs: number): GatewaySession {
  const fields = fieldsOf(body);
  const name = textOf(fieldsOf(fields.user).name);
  const hasLogins = fields.loginsEnabled === true;
  const session = fieldsOf(fields.session);
  const ends = [session.idleEndsAt, session.absoluteEndsAt].flatMap((at) =>
    typeof at === 'string' ? [Date.parse(at)] : [],
  );
  const skewMs = typeof session.now === 'string' ? nowMs - Date.parse(session.now) : 0;
  return {
    hasLogins,
    isLoginNeeded: hasLogins && name === null,
    isFirstAdminNeeded: fields.needsFirstAdmin === true,
    mustChangePassword: fields.mustChangePassword === true,
    name,
    role: textOf(fields.role),
    endsAtMs: ends.length === 0 ? null : Math.min(...ends) + skewMs,
    hosts: Array.isArray(fields.agents) ? fields.agents.flatMap((host: unknown) => textOf(host) ?? []) : [],
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The key of the session in the cache. */
export const sessionKey = ['gateway', 'session'] as const;

/** Follows who is logged in; a gateway without `/api/session` has no logins. */
export function useGatewaySession(): UseQueryResult<GatewaySession> {
  return useQuery({
    queryKey: sessionKey,
    queryFn: async () => {
      try {
        return parseSession(await askGateway('/api/session'), Date.now());
      } catch (error) {
        if (error instanceof GatewayRefusal && error.meta.response.status === 404) return withoutLogins;
        if (faultOf(error).code === 'unauthenticated')
          return { ...withoutLogins, hasLogins: true, isLoginNeeded: true };
        throw error;
      }
    },
    refetchInterval: 60_000,
    refetchOnWindowFocus: true,
    staleTime: 30_000,
    gcTime: Number.POSITIVE_INFINITY,
  });
}
