import { createHash } from 'node:crypto';
import type { Handlers } from '@setkeeper/api';
import type { WorldSet } from './set-world.ts';

type Plan = Awaited<ReturnType<Handlers['plan.get']>>;
type Line = Awaited<ReturnType<Handlers['plan.lines']>>['items'][number];

/** An address of a set, invented but always the same. */
export function memberOf(set: Pick<WorldSet, 'family' | 'type'>, index: number): string {
  const a = Math.floor(index / 65_536) % 256;
  const b = Math.floor(index / 256) % 256;
  const c = index % 256;
  if (set.family === null) return `sk-v4-t.member-${index}`;
  const address =
    set.family === 'inet'
      ? `10.${65 + a}.${b}.${c}`
      : `2001:db8:${a.toString(16)}:${b.toString(16)}::${c.toString(16)}`;
  if (set.type === 'hash:net')
    return set.family === 'inet' ? `${11 + a}.${b}.${c}.0/24` : `2001:db8:${(index % 65_536).toString(16)}::/48`;
  return set.type === 'hash:ip,port' ? `${address},tcp:8080` : address;
}

/** The lines that program these sets, with their meaning. */
export function planLines(sets: readonly WorldSet[], isRewrite: boolean): Line[] {
  const lines: Line[] = [];
  const push = (set: WorldSet, text: string, meaning: string) =>
    lines.push({ line: lines.length + 1, text, meaning, set: set.name, group: set.group, family: set.family });
  for (const [index, set] of sets.entries()) {
    if (isRewrite) {
      const temporary = `sk-tmp-${index}`;
      push(
        set,
        `create ${temporary} ${set.type} family ${set.family ?? ''} hashsize 1024 maxelem ${set.maxelem ?? 0} -exist`,
        `make a temporary set beside ${set.group}`,
      );
      for (let member = 0; member < Math.min(set.desired, 100_000); member += 1)
        push(set, `add ${temporary} ${memberOf(set, member)}`, `put ${memberOf(set, member)} into it`);
      push(set, `swap ${temporary} ${set.name}`, `exchange it with ${set.name} in one step: no reader sees it empty`);
      push(set, `destroy ${temporary}`, 'remove the old content');
      continue;
    }
    for (let del = 0; del < set.pending.dels; del += 1)
      push(set, `del ${set.name} ${memberOf(set, 900 + del)}`, `its last owner left: ${memberOf(set, 900 + del)} goes`);
    for (let add = 0; add < set.pending.adds; add += 1)
      push(set, `add ${set.name} ${memberOf(set, 950 + add)}`, `${memberOf(set, 950 + add)} is wanted by the model`);
  }
  return lines;
}

/** The plan of these sets. */
export function planOf(sets: readonly WorldSet[], isRewrite: boolean, scriptLimit: number, revision: number): Plan {
  const lines = planLines(sets, isRewrite);
  const script = lines
    .slice(0, scriptLimit)
    .map((line) => line.text)
    .join('\n');
  let firstLine = 1;
  return {
    digest: createHash('sha256')
      .update(`${revision}\n${lines.map((line) => line.text).join('\n')}`)
      .digest('hex'),
    lines: lines.length,
    script: script === '' ? '' : `${script}\n`,
    scriptTruncated: lines.length > scriptLimit,
    sets: sets.map((set) => {
      const count = lines.filter((line) => line.set === set.name).length;
      const row = {
        group: set.group,
        family: set.family,
        name: set.name,
        how: isRewrite ? ('rewrite' as const) : ('delta' as const),
        adds: isRewrite ? set.desired : set.pending.adds,
        dels: isRewrite ? 0 : set.pending.dels,
        before: set.programmed ?? 0,
        after: set.desired,
        firstLine,
        lines: count,
        ...(set.onHold
          ? { blocked: 'on-hold' as const, blockedDetail: 'maria stopped programming it until 06:00' }
          : {}),
      };
      firstLine += count;
      return row;
    }),
    modelRevision: revision,
    at: new Date().toISOString(),
  };
}
