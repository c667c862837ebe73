import type { Handlers } from '@setkeeper/api';
import { MockEvents } from './mock-events.ts';
import { type ModelWorld, makeModel } from './model-world.ts';
import { madeRuns, type WorldOutcome, type WorldRun } from './run-world.ts';
import { ago, makeSets, troubled, type WorldSet } from './set-world.ts';

/** What the invented host is like. */
export type Scenario = 'trouble' | 'calm' | 'held' | 'empty' | 'huge' | 'observe';
export const scenarios: readonly Scenario[] = ['trouble', 'calm', 'held', 'empty', 'huge', 'observe'];

type Held = Awaited<ReturnType<Handlers['held.list']>>[number];
type Hold = Awaited<ReturnType<Handlers['holds.list']>>[number];
type Override = Awaited<ReturnType<Handlers['overrides.list']>>[number];
type Pin = Awaited<ReturnType<Handlers['pins.list']>>[number];
type Leftover = Awaited<ReturnType<Handlers['leftovers.list']>>['items'][number];

/** Everything the handlers share. A test changes it through `POST /mock`. */
export interface MockState {
  scenario: Scenario;
  /** The agent behind the gateway does not answer. */
  isDown: boolean;
  /** Every verb is refused for this role. */
  role: 'viewer' | 'operator' | 'admin';
  /** Verbs that fail, by name, with a code. */
  failing: Record<string, 'internal' | 'not-permitted'>;
  delayMs: number;
  model: ModelWorld;
  sets: WorldSet[];
  runs: WorldRun[];
  outcomes: Map<string, readonly WorldOutcome[]>;
  leftovers: Leftover[];
  held: Held[];
  holds: Hold[];
  overrides: Override[];
  pins: Pin[];
  revision: number;
  nextRun: number;
  readonly events: MockEvents;
}

/** The state of a scenario. */
export function makeState(scenario: Scenario, events = new MockEvents()): MockState {
  const model = scenario === 'empty' || scenario === 'observe' ? { profiles: new Map(), endpoints: [] } : makeModel();
  const calm = scenario === 'empty' || scenario === 'observe' ? [] : makeSets(model);
  const isTroubled = scenario === 'trouble' || scenario === 'huge';
  const { runs, outcomes } =
    scenario === 'empty' || scenario === 'observe' ? { runs: [], outcomes: new Map() } : madeRuns(calm, isTroubled);
  return {
    scenario,
    isDown: false,
    role: 'operator',
    failing: {},
    delayMs: 0,
    model,
    sets: isTroubled ? troubled(calm) : calm,
    runs,
    outcomes,
    leftovers: isTroubled ? leftoversOf() : [],
    held: scenario === 'held' || scenario === 'trouble' ? [heldOf()] : [],
    holds: isTroubled
      ? [
          {
            id: 'h1',
            group: 'tag:stock',
            by: 'maria',
            reason: 'ticket 4711: vendor migration',
            at: ago(3_600_000),
            until: ago(-7_200_000),
          },
        ]
      : [],
    overrides: isTroubled
      ? [
          {
            id: 'o1',
            kind: 'exclude',
            group: 'net:block',
            address: '203.0.113.9',
            by: 'maria',
            reason: 'customer cut off, ticket 4720',
            at: ago(1_200_000),
            until: ago(-2_400_000),
          },
          {
            id: 'o2',
            kind: 'add',
            group: 'tag:web',
            address: '192.0.2.77',
            by: 'jon',
            reason: 'load test',
            at: ago(600_000),
            until: ago(-86_400_000),
          },
        ]
      : [],
    pins: isTroubled
      ? [
          {
            group: 'tag:dns',
            referrer: 'pin/maria',
            by: 'maria',
            reason: 'rules are written by hand here',
            at: ago(86_400_000 * 3),
          },
        ]
      : [],
    revision: 1_731,
    nextRun: 2_042,
    events,
  };
}

function heldOf(): Held {
  const sample = ['10.65.0.14', '10.65.0.15', '10.65.0.17'];
  return {
    id: 'held-17',
    at: ago(2_800_000),
    source: 'directory /etc/setkeeper/model.d',
    files: ['endpoints/search-prod.yaml', 'endpoints/search-test.yaml'],
    commit: '3fa9c17b5e0d4c1a86f2907d5c3b41e8a7f6d210',
    objects: 14,
    why: [
      'tag:search inet loses 9,310 of 9,402 members (99 %), allowed is 30 %',
      'tag:search-prod is used by 3 rules and would become empty',
    ],
    digest: 'a'.repeat(64),
    state: 'held',
    removes: 9_310,
    sets: [
      { group: 'tag:search', family: 'inet', removes: 9_306, adds: 0, of: 9_402, sample },
      { group: 'tag:search-prod', family: 'inet', removes: 4, adds: 2, of: 4, sample },
    ],
    verbs: { 'held.release': { allowed: true }, 'held.reject': { allowed: true } },
  };
}

function leftoversOf(): Leftover[] {
  const rule = {
    kind: 'iptables-nft' as const,
    where: 'filter FORWARD 12',
    table: 'filter',
    chain: 'FORWARD',
    number: 12,
    rule: '-A FORWARD -m set --match-set sk-v4-t.legacy-api src -j ACCEPT',
    packets: '118402',
    bytes: '9120114',
    count: 1,
    removeWith: 'iptables -t filter -D FORWARD -m set --match-set sk-v4-t.legacy-api src -j ACCEPT',
  };
  const verbs = { 'leftovers.cleanup': { allowed: true } };
  return [
    {
      name: 'sk-v4-t.old-shop',
      type: 'hash:ip',
      entries: 14,
      references: 0,
      eligible: true,
      holders: [],
      form: 'own',
      ignored: false,
      verbs,
    },
    {
      name: 'sk-v6-t.old-shop',
      type: 'hash:ip',
      entries: 9,
      references: 0,
      eligible: true,
      holders: [],
      form: 'own',
      ignored: false,
      verbs,
    },
    {
      name: 'sk-tmp-9f31',
      type: 'hash:ip',
      entries: 0,
      references: 0,
      eligible: true,
      holders: [],
      form: 'temporary',
      ignored: false,
      verbs,
    },
    {
      name: 'sk-v4-t.legacy-api',
      type: 'hash:ip',
      entries: 41,
      references: 1,
      eligible: false,
      reason: 'A rule still uses it: its content stays as it is',
      holders: [rule],
      form: 'own',
      ignored: false,
      verbs,
    },
    {
      name: 'felix-4-abc',
      type: 'hash:ip',
      entries: 212,
      references: 2,
      eligible: false,
      reason: 'A former prefix, and 2 references hold it',
      holders: [{ ...rule, where: 'filter cali-fw 3', count: 2 }],
      form: 'former-prefix',
      ignored: false,
      verbs,
    },
    {
      name: 'sk-v4-n.keep',
      type: 'hash:net',
      entries: 3,
      references: 0,
      eligible: false,
      reason: 'It is on the ignore list',
      holders: [],
      form: 'own',
      ignored: true,
      verbs,
    },
  ];
}
