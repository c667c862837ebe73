import type { Handlers } from '@setkeeper/api';
import { ApiError } from '@setkeeper/api';
import { startRun } from './act.ts';
import type { MockState } from './mock-state.ts';
import { matching, pageOf } from './page-of.ts';
import type { WorldOutcome, WorldRun } from './run-world.ts';

function outcomesOf(state: MockState, run: WorldRun): readonly WorldOutcome[] {
  const known = state.outcomes.get(run.id);
  if (known !== undefined) return known;
  const set = run.setNames?.[0] ?? 'sk-v4-t.web';
  return Array.from({ length: run.lines }, (_, index) => ({
    line: index + 1,
    text: `${index % 5 === 4 ? 'del' : 'add'} ${set} 10.65.2.${(index % 250) + 1}`,
    meaning: index % 5 === 4 ? 'its last owner left' : 'wanted by the model',
    set,
    group: null,
    family: 'inet',
    outcome: index < run.operations.applied ? 'applied' : 'not-run',
  }));
}

/** `runs.*` of the invented agent. */
export function runHandlers(
  state: MockState,
): Pick<Handlers, 'runs.list' | 'runs.get' | 'runs.outcomes' | 'runs.retry'> {
  const find = (id: string) => {
    const run = state.runs.find((one) => one.id === id);
    if (run === undefined)
      throw new ApiError('not-found', `There is no run ${id}.`, {
        subject: id,
        remedy: 'It may be older than the history is kept.',
      });
    return run;
  };
  const isBad = (outcome: WorldOutcome) => outcome.outcome !== 'applied';
  return {
    'runs.list': (input) => {
      const rows = matching(
        state.runs,
        input.filter,
        (run) => `${run.id} ${run.cause} ${run.actor} ${run.setNames?.join(' ')}`,
      )
        .filter((run) => !input.failed || ['partly', 'failed', 'interrupted'].includes(run.phase))
        .filter((run) => input.phase === undefined || run.phase === input.phase)
        .filter((run) => input.set === undefined || run.setNames?.includes(input.set) === true);
      const { sort } = input;
      const value = (run: WorldRun) =>
        sort?.by === 'durationMs' ? run.durationMs : sort?.by === 'sets' ? run.sets : Date.parse(run.at);
      const sorted = rows.toSorted((a, b) => (value(a) - value(b)) * (sort?.desc === false ? 1 : -1));
      return pageOf(sorted, input);
    },
    'runs.get': ({ id, scriptLimit }) => {
      const run = find(id);
      const outcomes = outcomesOf(state, run);
      const groups = Map.groupBy(
        outcomes.filter((one) => one.outcome === 'rejected'),
        (one) => `${one.code} ${one.set}`,
      );
      return {
        ...run,
        script: `${outcomes
          .slice(0, scriptLimit)
          .map((one) => one.text)
          .join('\n')}\n`,
        scriptTruncated: outcomes.length > scriptLimit,
        failures: [...groups.values()].flatMap(([first, ...others]) =>
          first === undefined
            ? []
            : [
                {
                  code: first.code ?? '',
                  message: first.message ?? '',
                  set: first.set,
                  group: first.group,
                  count: others.length + 1,
                  firstLine: first.line,
                  remedy: first.remedy ?? '',
                },
              ],
        ),
        retryable: outcomes.filter((one) => one.outcome === 'rejected').length,
      };
    },
    'runs.outcomes': (input) => {
      const rows = matching(
        outcomesOf(state, find(input.id)),
        input.filter,
        (one) => `${one.text} ${one.message}`,
      ).filter(
        (one) =>
          (input.only === 'all' || (input.only === 'bad' ? isBad(one) : one.outcome === input.only)) &&
          (input.code === undefined || one.code === input.code) &&
          (input.set === undefined || one.set === input.set),
      );
      return pageOf(
        input.order === 'line' ? rows : rows.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)) || a.line - b.line),
        input,
      );
    },
    'runs.retry': ({ id }) => {
      const run = find(id);
      return startRun(
        state,
        state.sets.filter((set) => run.setNames?.includes(set.name) === true),
        { cause: 'retry', isRewrite: false },
      );
    },
  };
}
