import type {
  CleanupResult,
  Held,
  LineOutcome,
  ManagedSet,
  ManagedSetDetail,
  MemberRow,
  Plan,
  Problem,
  Run,
  RunDetail,
  Status,
} from '@setkeeper/api';
import type { GroupId } from '@setkeeper/ipset';
import type { z } from 'zod';

/** An instant of the samples. */
export const at = '2026-01-02T03:04:05.000Z';
export const digest = 'ab'.repeat(32);

export const sampleRun = (change: Partial<Run> = {}): Run => ({
  id: '7',
  at,
  cause: 'apply',
  actor: 'root',
  phase: 'succeeded',
  sets: 1,
  operations: { applied: 3, rejected: 0, skipped: 0, notRun: 0 },
  lines: 3,
  attempts: 1,
  durationMs: 4,
  digest,
  ...change,
});

export const sampleRunDetail = (change: Partial<RunDetail> = {}): RunDetail => ({
  ...sampleRun(),
  script: 'add sk-v4-t.web 10.0.0.1\n',
  scriptTruncated: false,
  failures: [],
  retryable: 0,
  ...change,
});

export const sampleOutcome = (change: Partial<z.infer<typeof LineOutcome>> = {}): z.infer<typeof LineOutcome> => ({
  line: 1,
  text: 'add sk-v4-t.web 10.0.0.1',
  meaning: 'adds 10.0.0.1',
  set: 'sk-v4-t.web',
  group: 'tag:web' as GroupId,
  family: 'inet',
  outcome: 'applied',
  ...change,
});

export const sampleSet = (change: Partial<ManagedSet> = {}): ManagedSet => ({
  group: 'tag:web',
  kind: 'tag',
  family: 'inet',
  name: 'sk-v4-t.web',
  type: 'hash:ip',
  maxelem: 1_048_576,
  phase: 'live',
  sync: 'in-sync',
  use: 'used',
  usedBy: 2,
  desired: 3,
  programmed: 3,
  kernel: 3,
  pending: { adds: 0, dels: 0 },
  overCapacity: 0,
  parked: 0,
  drifted: 0,
  defined: true,
  references: ['policy/allow-web'],
  kernelReferences: 2,
  lastRun: '7',
  lastResult: 'succeeded',
  readAt: at,
  changedAt: at,
  onHold: false,
  adopted: false,
  ...change,
});

export const sampleSetDetail = (change: Partial<ManagedSetDetail> = {}): ManagedSetDetail => ({
  ...sampleSet(),
  header: { hashsize: 1024 },
  pendingAdds: [],
  pendingDels: [],
  overCapacityMembers: [],
  parkedMembers: [],
  referenceDetails: [],
  holders: [],
  unexplained: 0,
  drift: [],
  driftCount: 0,
  verbs: {},
  ...change,
});

export const sampleMember = (change: Partial<MemberRow> = {}): MemberRow => ({
  member: '10.0.0.1',
  family: 'inet',
  owners: [{ source: 'directory', profile: 'web', endpoint: 'node-a/x', file: 'web.yaml' }],
  since: at,
  state: 'programmed',
  ...change,
});

export const sampleProblem = (change: Partial<Problem> = {}): Problem => ({
  code: 'drift',
  severity: 'warning',
  subject: 'tag:web',
  message: 'somebody else changed it',
  since: at,
  remedy: 'setkeeper set tag:web',
  ...change,
});

export const sampleStatus = (change: Partial<Status> = {}): Status => ({
  ok: true,
  sentence: 'All 2 sets match, seen 1 s ago',
  host: 'node-a',
  version: '0.1.0',
  mode: 'manage',
  startedAt: at,
  at,
  epoch: 'e1',
  prefix: 'sk-',
  apply: 'auto',
  headersSeconds: 10,
  sourcesCurrent: true,
  sources: [],
  sets: { total: 2, live: 2, dirty: 0, drifted: 0, failed: 0, unknown: 0, unused: 0, inSync: 2 },
  members: { inet: 3, inet6: 3 },
  held: 0,
  holds: 0,
  overrides: 0,
  leftovers: 0,
  leaks: 0,
  pending: { adds: 0, dels: 0, sets: 0 },
  problems: [],
  lastRun: null,
  running: false,
  kernel: { ipset: '7.19', protocol: 7, types: ['hash:ip'], namespace: 'net:[1]' },
  readAt: at,
  modelKinds: {},
  ...change,
});

export const samplePlan = (change: Partial<Plan> = {}): Plan => ({
  digest,
  lines: 1,
  script: 'add sk-v4-t.web 10.0.0.1\n',
  scriptTruncated: false,
  sets: [
    {
      group: 'tag:web',
      family: 'inet',
      name: 'sk-v4-t.web',
      how: 'delta',
      adds: 1,
      dels: 0,
      before: 2,
      after: 3,
      firstLine: 1,
      lines: 1,
    },
  ],
  modelRevision: 1,
  at,
  ...change,
});

export const sampleHeld = (change: Partial<Held> = {}): Held => ({
  id: 'h1',
  at,
  source: 'directory',
  files: ['web.yaml'],
  objects: 40,
  why: ['tag:web loses 90 of 100 members'],
  digest,
  state: 'held',
  sets: [{ group: 'tag:web', family: 'inet', removes: 90, adds: 0, of: 100, sample: [] }],
  removes: 90,
  ...change,
});

export const sampleCleanup = (change: Partial<CleanupResult> = {}): CleanupResult => ({
  digest,
  eligible: 1,
  script: 'destroy sk-v4-t.old\n',
  removed: ['sk-v4-t.old'],
  kept: [],
  run: '8',
  phase: 'succeeded',
  ...change,
});

/** A page that holds all rows. */
export const pageWith = <Row>(items: Row[]) => ({ items, total: items.length, at });
