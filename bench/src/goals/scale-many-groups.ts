import { withAgent } from '../agent-under-test.ts';
import { manySets } from '../documents.ts';
import { type Goal, median, milliseconds, rowOf } from '../goal.ts';
import { quantile } from '../quantile.ts';
import { watchLiveness } from '../watch-liveness.ts';

const MEMBERS = 10;

/** What one number of groups costs. Milliseconds. */
interface Cost {
  readonly load: number;
  readonly changes: readonly number[];
  readonly longestBlocked: number;
  readonly answers: readonly number[];
}

async function costOf(groups: number, changes: number): Promise<Cost> {
  const config = { sets: { settleMs: 0, families: ['inet'] }, startTimeoutSeconds: 120 };
  return withAgent({ documents: manySets(groups, MEMBERS).documents, config }, async (agent) => {
    const watched = watchLiveness(agent);
    const load = await milliseconds(() => agent.settled());
    const { sets } = await agent.query<{ sets: { live: number } }>('status.get');
    if (sets.live !== groups) throw new Error(`${sets.live} of ${groups} sets are live`);
    const seconds = 'setkeeper_event_to_kernel_seconds_sum';
    const times: number[] = [];
    for (let change = 0; change < changes; change++) {
      const before = await agent.metric(seconds);
      const one = { profiles: [`p${change}`], ipv4: [`172.16.0.${change + 1}`] };
      await agent.act('model.put', { documents: JSON.stringify({ endpoints: { one } }) });
      await agent.settled();
      times.push(((await agent.metric(seconds)) - before) * 1000);
    }
    const { answers, longestBlocked } = await watched.end();
    return { load, changes: times, longestBlocked, answers };
  });
}

/** S5: many groups in the kernel, against a hundred. */
export const s5: Goal = {
  id: 'S5',
  run: async ({ isQuick }) => {
    const [many, few, changes] = isQuick ? [300, 30, 3] : [10_000, 100, 15];
    const ofFew = await costOf(few, changes);
    const ofMany = await costOf(many, changes);
    const row = (work: string, atMost: number, ours: number, floor: number) =>
      rowOf({ id: 'S5', work, unit: 'ms', atMost }, [{ ours, floor }]);
    return [
      row(
        `${many} groups: one moves to another, against ${few} groups`,
        1.5,
        median(ofMany.changes),
        median(ofFew.changes),
      ),
      row('  all from start to kernel, an hundred times as long at most', many / few, ofMany.load, ofFew.load),
      row('  longest time the event loop was blocked', 1, ofMany.longestBlocked, 50),
      row('  99 of 100 answers to a console meanwhile', 1, quantile(ofMany.answers, 0.99), 100),
    ];
  },
};
