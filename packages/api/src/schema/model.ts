import { z } from 'zod';
import { Owner } from './managed-set.ts';
import { Family, GroupText, Instant } from './scalars.ts';

/** Where an object comes from, and whether another source's object of the same id lost against it. */
const origin = {
  source: z.string(),
  file: z.string().optional(),
  line: z.number().int().optional(),
  commit: z.string().optional(),
  since: Instant.nullable(),
  conflicts: z.array(z.string()),
  lastGood: z.boolean(),
};

export const GroupRow = z.object({
  id: GroupText,
  kind: z.enum(['tag', 'port', 'net', 'list', 'hosts']),
  defined: z.boolean(),
  referenced: z.boolean(),
  references: z.array(z.string()),
  members: z.object({ inet: z.number().int(), inet6: z.number().int() }),
  endpoints: z.number().int(),
  profiles: z.array(z.string()),
  names: z.record(z.string(), z.string()),
});
export const EndpointRow = z.object({
  id: z.string(),
  profiles: z.array(z.string()),
  ipv4: z.array(z.string()),
  ipv6: z.array(z.string()),
  active: z.boolean(),
  ports: z.record(z.string(), z.string()),
  groups: z.array(GroupText),
  note: z.string().optional(),
  ...origin,
});
export const ProfileRow = z.object({
  id: z.string(),
  tags: z.array(z.string()),
  endpoints: z.number().int(),
  defined: z.boolean(),
  ...origin,
});
export const NetworkRow = z.object({
  id: z.string(),
  nets: z.number().int(),
  except: z.number().int(),
  files: z.array(z.string()),
  note: z.string().optional(),
  ...origin,
});
export const ListRow = z.object({
  id: z.string(),
  members: z.array(GroupText),
  note: z.string().optional(),
  ...origin,
});
export const HostRow = z.object({
  id: z.string(),
  ipv4: z.string().nullable(),
  ipv6: z.string().nullable(),
  ...origin,
});
export const ReferenceDocRow = z.object({
  id: z.string(),
  groups: z.array(GroupText),
  hosts: z.array(z.string()),
  here: z.boolean(),
  ...origin,
});

export const ObjectKind = z.enum(['profile', 'endpoint', 'network', 'list', 'host', 'references']);

/** One verdict of `explain`: whether a set matches an address, as the kernel decides, and why. */
export const ExplainSet = z.object({
  name: z.string(),
  group: GroupText.optional(),
  family: Family.nullable(),
  type: z.string(),
  foreign: z.boolean(),
  byName: z.string().optional(),
  matched: z.boolean(),
  excluded: z.boolean(),
  by: z.array(z.string()),
  owners: z.array(Owner),
  inKernel: z.boolean().nullable(),
  desired: z.boolean(),
  since: Instant.nullable(),
  event: z.string().nullable(),
  run: z.string().nullable(),
  line: z.number().int().nullable(),
  usedBy: z.array(z.string()),
  via: z.array(z.string()),
  verdict: z.string(),
});
export const Explanation = z.object({
  address: z.string(),
  sets: z.array(ExplainSet),
  endpoints: z.array(z.object({ id: z.string(), groups: z.array(GroupText), active: z.boolean() })),
  unreadable: z.array(z.object({ name: z.string(), why: z.string() })),
  why: z.array(z.string()),
});
export type Explanation = z.infer<typeof Explanation>;
