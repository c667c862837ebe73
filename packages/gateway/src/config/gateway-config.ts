import { z } from 'zod';
import { isLoopbackHost } from '../fences/request-judge.ts';
import { parseListenAddress } from './listen-address.ts';

const path = z.string().min(1).max(4096);

/** `https://console.example.org`, as a browser writes an origin. */
const Origin = z
  .string()
  .max(300)
  .refine((text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/u.test(text), {
    message: 'an origin is scheme://host[:port], e.g. https://console.example.org',
  });

/** `gateway.yaml` (CONTRACT: section 6). Every key has a default but `agents`; an unknown key is refused. */
export const GatewayConfig = z
  .strictObject({
    listen: z
      .string()
      .default('127.0.0.1:8470')
      .transform((text, context) => {
        const address = parseListenAddress(text);
        if (address !== undefined) return address;
        context.addIssue({ code: 'custom', message: 'an address is 127.0.0.1:8470 or [::1]:8470' });
        return z.NEVER;
      }),
    tls: z.strictObject({ cert: path, key: path }).optional(),
    /** The addresses that people type, where it is not a loopback one. */
    origins: z.array(Origin).max(50).default([]),
    /** Addresses or CIDR blocks of the proxies in front, whose X-Forwarded-For and -Proto are believed. */
    trustedProxies: z
      .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))
      .max(50)
      .default([]),
    store: path.default('/var/lib/setkeeper-gateway/gateway.db'),
    agents: z
      .array(z.strictObject({ name: z.string().min(1).max(253), socket: path }))
      .min(1)
      .max(1000)
      .refine((agents) => new Set(agents.map(({ name }) => name)).size === agents.length, {
        message: 'two agents have one name',
      }),
    session: z
      .strictObject({
        idleMinutes: z.number().positive().max(100_000).default(30),
        absoluteHours: z.number().positive().max(10_000).default(12),
      })
      .prefault({}),
    /** The Ed25519 key that identities are signed with: a PEM file (PKCS8), and the `kid` under which agents trust it. */
    signingKey: z
      .union([path, z.strictObject({ file: path, kid: z.string().min(1).max(100) })])
      .default('/etc/setkeeper/gateway-signing-key.pem')
      .transform((key) => (typeof key === 'string' ? { file: key, kid: 'gateway' } : key)),
    /** The console's static export. */
    console: path.default('/usr/share/setkeeper/console'),
    /** Off: everybody on this machine is the operator `local`. */
    logins: z.enum(['on', 'off']).default('on'),
    /** Whether /metrics needs a token or session of role viewer. */
    metrics: z.enum(['open', 'signed-in']).default('open'),
  })
  .superRefine((config, context) => {
    const fault = exposureFault(config);
    if (fault !== undefined) context.addIssue({ code: 'custom', ...fault });
  });
export type GatewayConfig = z.infer<typeof GatewayConfig>;

type Exposure = Pick<GatewayConfig, 'listen' | 'tls' | 'origins' | 'trustedProxies' | 'logins'>;

/** Why a gateway so configured would be open to others than it should, if it would. */
function exposureFault(config: Exposure): { path: string[]; message: string } | undefined {
  const { listen, tls, origins, trustedProxies, logins } = config;
  const isReachable = !listen.isLoopback || trustedProxies.length > 0;
  if (!listen.isLoopback && tls === undefined && trustedProxies.length === 0)
    return {
      path: ['listen'],
      message:
        'anything but a loopback address needs tls, or trustedProxies in front; passwords would cross the net in clear',
    };
  if (isReachable && origins.length === 0)
    return {
      path: ['origins'],
      message: 'the address that people type must be named, e.g. https://console.example.org',
    };
  const inClear = origins.find((origin) => origin.startsWith('http:') && !isLoopbackHost(new URL(origin).host));
  if (inClear !== undefined)
    return {
      path: ['origins'],
      message: `${inClear} is not of this machine, so it must be https: passwords would cross the net in clear`,
    };
  if (logins === 'off' && (isReachable || origins.length > 0))
    return { path: ['logins'], message: 'logins can be off on a loopback address without proxies and origins only' };
  return undefined;
}
