import type { ManagedSetDetail } from '@setkeeper/api';
import { type FamilyOptions, withFamily } from '../arguments/family.ts';
import type { AddCommand, AgentTools } from '../cli.ts';
import { everyRow } from '../client/pages.ts';
import { ago } from '../output/ago.ts';
import type { Output } from '../output/output.ts';
import { toneOf } from '../output/tone.ts';
import { holderColumns } from './holder-columns.ts';

/** `set GROUP`: a group's sets whole, one a family. */
export const addSet: AddCommand = (program, cli) => {
  withFamily(
    program
      .command('set')
      .description('one set with pending members, header, references and holders')
      .argument('<group>', 'tag:web, port:web/http, net:corp, list:trusted, hosts:all'),
  ).action(
    cli.asking(async (tools, group: string, { family }: FamilyOptions) => {
      const { api, out } = tools;
      const sets = await api.sets.get.query({ group, family });
      const whole: ManagedSetDetail[] = [];
      for (const set of sets) whole.push(await withWholeLists(tools, set));
      if (out.isJson) await out.json(whole);
      else for (const set of whole) await printSet(out, set);
      return undefined;
    }),
  );
};

/** The API cuts long lists of members; a command never does. */
async function withWholeLists({ api }: AgentTools, set: ManagedSetDetail): Promise<ManagedSetDetail> {
  const whole = async (
    state: 'pending-add' | 'pending-del' | 'over-capacity',
    given: readonly string[],
    count: number,
  ): Promise<string[]> => {
    if (given.length >= count) return [...given];
    const { group, family } = set;
    const rows = await everyRow((page) =>
      api.sets.members.query({ ...page, group, state, owners: false, ...(family === null ? {} : { family }) }),
    );
    return rows.map((row) => row.member);
  };
  return {
    ...set,
    pendingAdds: await whole('pending-add', set.pendingAdds, set.pending.adds),
    pendingDels: await whole('pending-del', set.pendingDels, set.pending.dels),
    overCapacityMembers: await whole('over-capacity', set.overCapacityMembers, set.overCapacity),
  };
}

async function printSet(out: Output, set: ManagedSetDetail): Promise<void> {
  const header =
    set.header === null
      ? 'not read'
      : Object.entries(set.header)
          .map(([key, value]) => `${key} ${value ?? ''}`.trim())
          .join(' ');
  await out.line(`${set.group}${set.family === null ? '' : ` ${set.family}`}: ${set.name} (${set.type})`, 'strong');
  await out.facts([
    ['phase', set.phase, toneOf(set.phase)],
    ['sync', set.syncCause === undefined ? set.sync : `${set.sync}: ${set.syncCause}`, toneOf(set.sync)],
    [
      'last result',
      set.lastRun === null ? set.lastResult : `${set.lastResult}, run ${set.lastRun}`,
      toneOf(set.lastResult),
    ],
    ['use', set.use === 'used' ? `used by ${set.usedBy}` : set.use],
    [
      'members',
      `${set.desired} desired, ${set.programmed ?? '?'} programmed, ${set.kernel ?? '?'} in the kernel, read ${ago(set.readAt, out.now())}`,
    ],
    ['capacity', `maxelem ${set.maxelem ?? '-'}, ${set.overCapacity} over capacity, ${set.parked} parked`],
    ['header', header],
    ['references', set.references.length === 0 ? 'none' : set.references.join(', ')],
    ['kernel references', `${set.kernelReferences ?? '?'}, unexplained ${set.unexplained ?? '?'}`],
  ]);
  if (set.blocked !== undefined) await out.line(`blocked: ${set.blocked} ${set.blockedDetail ?? ''}`, 'warn');
  if (set.error !== undefined) await out.line(`error: ${set.error}`, 'bad');
  await out.lines(set.pendingAdds.map((member) => `  + ${member}`));
  await out.lines(set.pendingDels.map((member) => `  - ${member}`));
  await out.lines(set.overCapacityMembers.map((member) => `  over capacity: ${member}`));
  for (const parked of set.parkedMembers)
    await out.line(
      `  parked ${parked.op} ${parked.member}: ${parked.code}: ${parked.message}; next try ${ago(parked.retryAt, out.now())}`,
      'bad',
    );
  await out.table(holderColumns, set.holders);
  await out.line('');
}
