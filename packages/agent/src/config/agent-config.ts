import { z } from 'zod';

const sets = z.strictObject({
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,7}$/u, '1 to 8 of A-Z a-z 0-9 _ . - and starts with a letter or digit')
    .default('sk-'),
  formerPrefixes: z.array(z.string().min(1).max(30)).default([]),
  adopt: z.record(z.string().min(1).max(31), z.string()).default({}),
  families: z
    .array(z.enum(['inet', 'inet6']))
    .min(1)
    .default(['inet', 'inet6']),
  program: z.enum(['referenced', 'all', 'auto']).default('auto'),
  maxelem: z.number().int().min(1).max(4_294_967_295).default(1_048_576),
  settleMs: z.number().int().min(0).max(60_000).default(50),
  apply: z.enum(['auto', 'manual']).default('auto'),
});

const guard = z.union([
  z.literal('off'),
  z.strictObject({
    removedPercent: z.number().min(0).max(100).default(30),
    removedMin: z.number().int().min(0).default(50),
    emptied: z.boolean().default(true),
    setsMin: z.number().int().min(1).default(5),
    sourcePercent: z.number().min(0).max(100).default(50),
    sourceMin: z.number().int().min(0).default(20),
  }),
]);

const directory = z.strictObject({
  directory: z.strictObject({
    path: z.string().min(1),
    quietMs: z.number().int().min(0).max(60_000).default(300),
    name: z.string().optional(),
  }),
});
const etcd = z.strictObject({
  etcd: z.strictObject({
    endpoints: z.array(z.string()).min(1),
    prefix: z.string().default('/setkeeper/v1'),
    layout: z.enum(['setkeeper', 'calico-v1']).default('setkeeper'),
    username: z.string().optional(),
    passwordFile: z.string().optional(),
    ca: z.string().optional(),
    cert: z.string().optional(),
    key: z.string().optional(),
    name: z.string().optional(),
  }),
});
const declared = z.strictObject({ declared: z.strictObject({ name: z.string().optional() }).nullable() });

/** `agent.yaml` (CONTRACT section 2): every key optional, an unknown key is an error. */
export const AgentConfig = z.strictObject({
  mode: z.enum(['manage', 'observe']).default('manage'),
  host: z.string().min(1).max(253).optional(),
  socket: z.string().default('/run/setkeeper/agent.sock'),
  adminSocket: z.string().default('/run/setkeeper/admin.sock'),
  store: z.string().default('/var/lib/setkeeper/agent.db'),
  sets: sets.prefault({}),
  guard: guard.prefault({}),
  startTimeoutSeconds: z.number().min(0).default(30),
  resync: z
    .strictObject({
      headersSeconds: z.number().min(0).default(10),
      membersSeconds: z.number().min(0).default(90),
      repair: z.boolean().default(true),
    })
    .prefault({}),
  cleanup: z
    .strictObject({
      mode: z.enum(['manual', 'auto']).default('manual'),
      delaySeconds: z.number().min(0).default(30),
      ignore: z.array(z.string()).default([]),
    })
    .prefault({}),
  leaks: z.strictObject({ afterSeconds: z.number().min(0).default(60) }).prefault({}),
  sources: z
    .array(z.union([directory, etcd, declared]))
    .default([{ directory: { path: '/etc/setkeeper/model.d', quietMs: 300 } }, { declared: {} }]),
  history: z
    .strictObject({
      runs: z.number().int().min(1).default(10_000),
      days: z.number().min(1).default(30),
      maxMiB: z.number().min(1).default(512),
    })
    .prefault({}),
  boot: z
    .strictObject({
      directory: z.string().default('/var/lib/setkeeper/boot.d'),
      everySeconds: z.number().min(0).default(10),
    })
    .prefault({}),
  ipset: z
    .strictObject({ path: z.string().default('ipset'), timeoutSeconds: z.number().min(1).default(60) })
    .prefault({}),
  trust: z
    .strictObject({
      gatewayKeys: z
        .array(
          z.strictObject({
            kid: z.string().min(1),
            key: z.string().min(1),
            maxRole: z.enum(['viewer', 'operator', 'admin']).default('admin'),
          }),
        )
        .default([]),
    })
    .prefault({}),
});
export type AgentConfig = z.infer<typeof AgentConfig>;
export type GuardConfig = AgentConfig['guard'];
