import type { Handlers } from '@setkeeper/api';
import type { Charts } from '../../status/run-charts.ts';

type StatusVerb = 'status.get' | 'status.settled' | 'status.charts';

export interface StatusDependencies {
  readonly status: () => Awaited<ReturnType<Handlers['status.get']>>;
  readonly settled: () => {
    readonly settled: boolean;
    readonly failed: readonly string[];
    readonly held: number;
    readonly waitingFor: readonly string[];
  };
  readonly charts: (minutes: number) => Charts;
}

export function statusHandlers({ status, settled, charts }: StatusDependencies): Pick<Handlers, StatusVerb> {
  return {
    'status.get': () => status(),
    'status.settled': () => {
      const { failed, waitingFor, ...rest } = settled();
      return { ...rest, failed: [...failed], waitingFor: [...waitingFor] };
    },
    'status.charts': ({ minutes }) => charts(minutes),
  };
}
