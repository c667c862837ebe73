import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createAgentMetrics } from './agent-metrics.ts';
import { type AgentSnapshot, registerStateGauges } from './state-gauges.ts';

const packaging = join(import.meta.dirname, '..', '..', '..', '..', 'packaging');
const read = (...path: readonly string[]): string => readFileSync(join(packaging, ...path), 'utf8');

const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z
        .array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(['warning', 'critical']) }),
            annotations: z.object({ summary: z.string().min(1), description: z.string().min(1) }),
          }),
        )
        .min(1),
    }),
  ),
});
interface Panel {
  readonly title?: string;
  readonly targets?: readonly { readonly expr?: string }[];
  readonly panels?: readonly Panel[];
}

const snapshot: AgentSnapshot = {
  sets: new Map(),
  members: { inet: 0, inet6: 0 },
  overCapacity: 0,
  parked: 0,
  noLongerUsed: 0,
  held: 0,
  holds: 0,
  leftovers: 0,
  unexplained: 0,
  sources: [],
  problems: new Map(),
};

/** Every expression of a dashboard, with the title of its panel. */
function expressionsOf(panels: readonly Panel[]): readonly (readonly [title: string, expr: string])[] {
  return panels.flatMap(({ title = '', targets = [], panels: inner = [] }) => [
    ...targets.flatMap(({ expr }) => (expr === undefined ? [] : [[title, expr] as const])),
    ...expressionsOf(inner),
  ]);
}

describe('the alert rules and the dashboard', () => {
  const expressions: (readonly [where: string, expr: string])[] = [];
  const alarms: string[] = [];
  let exported: ReadonlySet<string>;
  /** The labels of each metric. */
  const labels = new Map<string, readonly string[]>();

  beforeAll(async () => {
    for (const { rules } of Rules.parse(parse(read('prometheus', 'setkeeper-alerts.yaml'))).groups)
      for (const { alert, expr } of rules) {
        expressions.push([alert, expr]);
        alarms.push(expr);
      }
    const dashboard = JSON.parse(read('grafana', 'setkeeper-dashboard.json')) as { readonly panels: readonly Panel[] };
    expressions.push(...expressionsOf(dashboard.panels));

    const metrics = createAgentMetrics();
    const stop = registerStateGauges(metrics, { version: '1', node: 'v24', ipset: '7' }, () => snapshot);
    const text = await metrics.registry.metrics();
    stop();
    const names = new Set<string>();
    for (const [, name = '', kind = ''] of text.matchAll(/^# TYPE (\S+) (\S+)/gmu))
      for (const end of kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) names.add(`${name}${end}`);
    exported = names;
    for (const metric of metrics.registry.getMetricsAsArray())
      labels.set(metric.name, 'labelNames' in metric ? z.array(z.string()).parse(metric.labelNames) : []);
  });

  it('ask for metrics that the agent exports, and for no other', () => {
    expect(expressions.length).toBeGreaterThan(20);
    for (const [where, expr] of expressions) {
      const asked = [...expr.matchAll(/\bsetkeeper_[a-z_]+/gu)].map(([name]) => name);
      expect(
        asked.filter((name) => !exported.has(name)),
        where,
      ).toEqual([]);
    }
  });

  it('select by labels that these metrics have', () => {
    expect(labels.get('setkeeper_sets')).toEqual(['axis', 'value']);
    const scraped = ['instance', 'job', 'host', 'le'];
    for (const [where, expr] of expressions)
      for (const [, name = '', selectors = ''] of expr.matchAll(/\b(setkeeper_[a-z_]+)\{([^}]*)\}/gu)) {
        const known = labels.get(name.replace(/_(bucket|sum|count)$/u, '')) ?? [];
        const asked = [...selectors.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/gu)].map(([, label = '']) => label);
        expect(
          asked.filter((label) => !known.includes(label) && !scraped.includes(label)),
          where,
        ).toEqual([]);
      }
  });

  it('raise an alarm for what makes enforcement wrong: capacity, use, runs, sources, held changes', () => {
    for (const name of [
      'setkeeper_over_capacity_members',
      'setkeeper_sets_no_longer_used',
      'setkeeper_runs_total',
      'setkeeper_source_state',
      'setkeeper_held_changes',
      'setkeeper_last_readback_timestamp_seconds',
    ])
      expect(alarms.join('\n')).toContain(name);
  });
});
