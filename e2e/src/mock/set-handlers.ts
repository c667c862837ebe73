import type { Handlers } from '@setkeeper/api';
import { ApiError } from '@setkeeper/api';
import { checkDigest, chosenSets, startRun } from './act.ts';
import type { MockState } from './mock-state.ts';
import { ownersOfTag } from './model-world.ts';
import { matching, pageBy, pageOf } from './page-of.ts';
import { memberOf, planLines, planOf } from './plan-world.ts';
import { ago, calmSet, type WorldMember, type WorldSet } from './set-world.ts';

const hugeSets = 100_000;
const hugeMembers = 1_000_000;

function hasState(set: WorldSet, state: string): boolean {
  if (state === 'failed') return set.lastResult === 'failed' || set.lastResult === 'partly';
  if (state === 'parked') return set.parked > 0;
  return set.sync === state || set.phase === state || set.use === state || set.lastResult === state;
}

function plainOf(set: WorldSet, column: string): unknown {
  return new Map<string, unknown>(Object.entries(set)).get(column);
}

const allowed = {
  'sets.reprogram': { allowed: true },
  'plan.apply': { allowed: true },
  'holds.add': { allowed: true },
  'pins.add': { allowed: true },
  'overrides.add': { allowed: true },
};

function driftOf(set: WorldSet): Awaited<ReturnType<Handlers['sets.drift']>>['items'] {
  if (set.sync !== 'drifted') return [];
  return [
    {
      id: 'd1',
      at: ago(240_000),
      group: set.group,
      family: set.family,
      name: set.name,
      kind: 'members',
      added: 2,
      removed: 1,
      sampleAdded: [memberOf(set, 3_000), memberOf(set, 3_001)],
      sampleRemoved: [memberOf(set, 2)],
      repairedAt: null,
      repairRun: null,
    },
  ];
}

/** `sets.*` and `plan.*` of the invented agent. */
export function setHandlers(
  state: MockState,
): Pick<
  Handlers,
  'sets.list' | 'sets.get' | 'sets.members' | 'sets.drift' | 'sets.reprogram' | 'plan.get' | 'plan.lines' | 'plan.apply'
> {
  const membersOf = (set: WorldSet): WorldMember[] => {
    const [kind, id = ''] = [set.kind, set.group.slice(set.group.indexOf(':') + 1)];
    if (kind === 'tag') {
      const byMember = new Map<string, WorldMember>();
      for (const { endpoint, profile } of ownersOfTag(state.model, id)) {
        const member = set.family === 'inet6' ? endpoint.ipv6 : endpoint.ipv4;
        if (member === null) continue;
        const owner = { source: 'directory', profile, endpoint: endpoint.id, file: endpoint.file };
        const known = byMember.get(member);
        byMember.set(member, {
          member,
          family: set.family,
          owners: [...(known?.owners ?? []), owner],
          since: ago(86_400_000 * 2),
          state: 'programmed',
        });
      }
      return [...byMember.values()];
    }
    return Array.from({ length: Math.min(set.desired, 5_000) }, (_, index) => ({
      member: memberOf(set, index),
      family: set.family,
      owners: [{ source: 'directory', object: set.group, file: `networks/${id}.yaml` }],
      since: ago(3_600_000 * (index % 90)),
      state: index < set.parked ? ('parked' as const) : ('programmed' as const),
    }));
  };
  const find = (group: string, family: string | null | undefined) => {
    const found = state.sets.filter((set) => set.group === group && (family == null || set.family === family));
    if (found.length === 0)
      throw new ApiError('not-found', `There is no managed set for ${group}.`, {
        subject: group,
        remedy: 'Look at the list of sets.',
      });
    return found;
  };
  return {
    'sets.list': (input) => {
      if (state.scenario === 'huge' && input.filter === undefined && input.state === undefined) {
        return pageBy(
          hugeSets,
          (index) =>
            calmSet(
              `tag:service-${String(input.sort?.desc === true ? hugeSets - 1 - index : index).padStart(6, '0')}`,
              'inet',
              (index * 37) % 900,
              'hash:ip',
              index % 4,
            ),
          input,
        );
      }
      const states = [
        input.state,
        ...(input.filter ?? '').split(/\s+/u).flatMap((word) => (word.startsWith('state:') ? [word.slice(6)] : [])),
      ].filter((word) => word !== undefined);
      const text = (input.filter ?? '')
        .split(/\s+/u)
        .filter((word) => !word.startsWith('state:'))
        .join(' ');
      const rows = matching(
        state.sets,
        text,
        (set) => `${set.group} ${set.name} ${set.family} ${set.references.join(' ')}`,
      )
        .filter((set) => input.kind === undefined || set.kind === input.kind)
        .filter((set) => input.family === undefined || set.family === input.family)
        .filter((set) => states.every((word) => hasState(set, word)));
      const by = input.sort?.by ?? 'group';
      const value = (set: WorldSet): string | number => {
        const field =
          by === 'pending'
            ? set.pending.adds + set.pending.dels
            : by === 'references'
              ? (set.kernelReferences ?? 0)
              : plainOf(set, by);
        return typeof field === 'number' ? field : String(field ?? '');
      };
      const sorted = rows.toSorted((a, b) => {
        const [left, right] = [value(a), value(b)];
        return (
          (typeof left === 'number' && typeof right === 'number'
            ? left - right
            : String(left).localeCompare(String(right))) * (input.sort?.desc === true ? -1 : 1)
        );
      });
      return pageOf(sorted, input);
    },
    'sets.get': ({ group, family }) =>
      find(group, family).map((set) => {
        const adds = Array.from({ length: set.pending.adds }, (_, index) => memberOf(set, 950 + index));
        const dels = Array.from({ length: set.pending.dels }, (_, index) => memberOf(set, 900 + index));
        return {
          ...set,
          header: {
            'Size in memory': 200 + (set.kernel ?? 0) * 24,
            hashsize: 1024,
            maxelem: set.maxelem ?? null,
            References: set.kernelReferences,
            'Number of entries': set.kernel,
          },
          pendingAdds: adds,
          pendingDels: dels,
          overCapacityMembers: [],
          parkedMembers: Array.from({ length: set.parked }, (_, index) => ({
            member: memberOf(set, 69_950 + index),
            op: 'add' as const,
            code: 'full',
            message: 'Hash is full, cannot add more elements',
            since: ago(800_000),
            attempts: 4,
            retryAt: ago(-72_000),
            run: 'r-2040',
          })),
          referenceDetails: set.references.map((referrer) => ({
            referrer,
            since: ago(86_400_000 * 9),
            by: 'directory',
          })),
          holders: Array.from({ length: set.kernelReferences ?? 0 }, (_, index) => ({
            kind: 'iptables-nft' as const,
            where: `filter INPUT ${index + 3}`,
            table: 'filter',
            chain: 'INPUT',
            number: index + 3,
            rule: `-A INPUT -m set --match-set ${set.name} src -j ACCEPT`,
            packets: '40211',
            bytes: '3120400',
            count: 1,
            removeWith: `iptables -t filter -D INPUT -m set --match-set ${set.name} src -j ACCEPT`,
          })),
          unexplained: 0,
          drift: driftOf(set),
          driftCount: set.sync === 'drifted' ? 1 : 0,
          verbs: set.onHold
            ? { ...allowed, 'plan.apply': { allowed: false, reason: 'maria stopped programming it until 06:00' } }
            : allowed,
        };
      }),
    'sets.members': (input) => {
      const sets = find(input.group, input.family);
      const [first] = sets;
      if (state.scenario === 'huge' && first !== undefined && input.filter === undefined) {
        return pageBy(
          hugeMembers,
          (index) => ({
            member: memberOf(first, index),
            family: first.family,
            owners: [{ source: 'etcd', endpoint: `node-a/k8s/pod-${index}/eth0`, profile: 'web-prod' }],
            since: ago(60_000 * (index % 4_000)),
            state: 'programmed',
          }),
          input,
        );
      }
      const rows = matching(sets.flatMap(membersOf), input.filter, (row) => row.member).filter(
        (row) => input.state === undefined || input.state === 'all' || row.state === input.state,
      );
      return pageOf(rows, input);
    },
    'sets.drift': (input) =>
      pageOf(
        state.sets
          .filter((set) => set.sync === 'drifted' && (input.group === undefined || set.group === input.group))
          .flatMap(driftOf),
        input,
      ),
    'sets.reprogram': (input) => {
      checkDigest(state, { ...input, reprogram: true }, input.digest);
      const sets = chosenSets(state, { ...input, reprogram: true });
      if (input.maxelem !== undefined)
        state.sets = state.sets.map((set) =>
          input.groups.includes(set.group) ? { ...set, maxelem: input.maxelem ?? null } : set,
        );
      return startRun(state, sets, {
        cause: 'reprogram',
        isRewrite: true,
        ...(input.reason === undefined ? {} : { reason: input.reason }),
      });
    },
    'plan.get': (input) => planOf(chosenSets(state, input), input.reprogram, input.scriptLimit, state.revision),
    'plan.lines': (input) => {
      checkDigest(state, input, input.digest);
      const rows = matching(
        planLines(chosenSets(state, input), input.reprogram),
        input.filter,
        (line) => `${line.text} ${line.meaning}`,
      );
      return pageOf(input.set === undefined ? rows : rows.filter((line) => line.set === input.set), input);
    },
    'plan.apply': (input) => {
      checkDigest(state, input, input.digest);
      return startRun(state, chosenSets(state, input), { cause: 'apply', isRewrite: false });
    },
  };
}
