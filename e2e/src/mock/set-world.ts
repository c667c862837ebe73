import { createHash } from 'node:crypto';
import type { Handlers } from '@setkeeper/api';
import { allTags, type ModelWorld, ownersOfTag } from './model-world.ts';
import { seeded } from './random.ts';

/** A set row as the API gives it. */
export type WorldSet = Awaited<ReturnType<Handlers['sets.list']>>['items'][number];
export type WorldMember = Awaited<ReturnType<Handlers['sets.members']>>['items'][number];

const minute = 60_000;

/** An instant so many milliseconds ago. */
export function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

function nameOf(letter: string, stem: string, version: string): string {
  const plain = `sk-${version}-${letter}.${stem}`;
  if (letter !== 'p' && plain.length <= 31 && /^[A-Za-z0-9][A-Za-z0-9_.-]*$/u.test(stem)) return plain;
  const hash = BigInt(`0x${createHash('sha256').update(stem).digest('hex')}`).toString(36);
  return `sk-${version}-${letter}._${hash}`.slice(0, 31);
}

/** A set in order, before anything is wrong with it. */
export function calmSet(
  group: string,
  family: 'inet' | 'inet6' | null,
  members: number,
  type: string,
  used: number,
): WorldSet {
  const [kind = 'tag', ...rest] = group.split(':');
  const stem = rest.join(':');
  const letter = kind === 'tag' ? 't' : kind === 'port' ? 'p' : kind === 'net' ? 'n' : 'h';
  const name = family === null ? `sk-l.${stem}` : nameOf(letter, stem, family === 'inet' ? 'v4' : 'v6');
  return {
    group,
    kind: kind === 'port' || kind === 'net' || kind === 'list' || kind === 'hosts' ? kind : 'tag',
    family,
    name,
    type,
    maxelem: family === null ? null : 1_048_576,
    phase: 'live',
    sync: 'in-sync',
    use: used > 0 ? 'used' : 'unused',
    usedBy: used,
    desired: members,
    programmed: members,
    kernel: members,
    pending: { adds: 0, dels: 0 },
    overCapacity: 0,
    parked: 0,
    drifted: 0,
    defined: true,
    references: used > 0 ? [`policy/allow-${stem.slice(0, 20)}`] : [],
    kernelReferences: used,
    lastRun: 'r-2041',
    lastResult: 'succeeded',
    readAt: ago(4_000),
    changedAt: ago(((members * 7) % 400) * minute),
    onHold: false,
    adopted: false,
  };
}

/** Every set of the invented host: 412 of them, in order. */
export function makeSets(model: ModelWorld): WorldSet[] {
  const random = seeded(11);
  const sets: WorldSet[] = [];
  for (const tag of allTags(model)) {
    const owners = ownersOfTag(model, tag);
    const used = random() < 0.85 ? 1 + Math.floor(random() * 3) : 0;
    const v6 = owners.filter(({ endpoint }) => endpoint.ipv6 !== null).length;
    sets.push(
      calmSet(`tag:${tag}`, 'inet', new Set(owners.map(({ endpoint }) => endpoint.ipv4)).size, 'hash:ip', used),
    );
    sets.push(calmSet(`tag:${tag}`, 'inet6', v6, 'hash:ip', used));
  }
  for (const tag of ['web', 'cart', 'search', 'auth', 'metrics', 'db']) {
    for (const port of ['http', 'metrics']) {
      sets.push(
        calmSet(`port:${tag}/${port}`, 'inet', 6, 'hash:ip,port', 1),
        calmSet(`port:${tag}/${port}`, 'inet6', 4, 'hash:ip,port', 1),
      );
    }
  }
  const nets: readonly (readonly [string, number])[] = [
    ['block', 65_586],
    ['corp', 41],
    ['partners', 318],
    ['firehol', 4_412],
    ['office', 6],
  ];
  for (const [id, size] of nets)
    sets.push(
      calmSet(`net:${id}`, 'inet', size, 'hash:net', 2),
      calmSet(`net:${id}`, 'inet6', Math.floor(size / 9), 'hash:net', 2),
    );
  sets.push(calmSet('hosts:all', 'inet', 12, 'hash:ip', 1), calmSet('hosts:all', 'inet6', 12, 'hash:ip', 1));
  sets.push(calmSet('list:trusted', null, 6, 'list:set', 1), calmSet('list:edge', null, 4, 'list:set', 0));
  return sets;
}

/** Puts a night's worth of trouble into the sets. */
export function troubled(sets: readonly WorldSet[]): WorldSet[] {
  return sets.map((set): WorldSet => {
    switch (`${set.group} ${set.family}`) {
      case 'tag:web inet':
        return { ...set, sync: 'dirty', desired: (set.programmed ?? 0) + 2, pending: { adds: 3, dels: 1 } };
      case 'net:block inet':
        return {
          ...set,
          sync: 'dirty',
          maxelem: 65_536,
          programmed: 65_536,
          kernel: 65_536,
          parked: 50,
          overCapacity: 0,
          lastRun: 'r-2040',
          lastResult: 'partly',
          error: 'Hash is full, cannot add more elements',
        };
      case 'tag:db inet6':
        return { ...set, sync: 'drifted', kernel: (set.kernel ?? 0) + 1, drifted: 3 };
      case 'tag:batch inet':
        return {
          ...set,
          sync: 'unknown',
          syncCause: 'The last read-back timed out after 60 s',
          kernel: null,
          readAt: ago(400_000),
        };
      case 'net:partners inet':
        return { ...set, use: 'unused', usedBy: 0, kernelReferences: 0, references: ['policy/partners-in'] };
      case 'tag:chat-test inet':
        return {
          ...set,
          lastResult: 'failed',
          lastRun: 'r-2038',
          error: 'Kernel error received: Operation not permitted',
          sync: 'dirty',
          pending: { adds: 12, dels: 0 },
          programmed: 0,
          kernel: 0,
          phase: 'starting',
          blocked: 'header-conflict',
        };
      case 'tag:stock inet':
        return { ...set, onHold: true, sync: 'dirty', pending: { adds: 1, dels: 0 } };
      default:
        return set;
    }
  });
}
