import { join } from 'node:path';
import type { VerbName, verbs } from '@setkeeper/api';
import { whyNoNamespace } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { AgentConfig } from '../config/agent-config.ts';
import { withAgent } from '../daemon/testing/with-agent.ts';
import { readModelDirectory } from '../sources/directory/read-model-directory.ts';
import { type ModelFiles, offlinePlan } from './offline-plan.ts';

const why = await whyNoNamespace();
if (why !== null) console.warn(`skipped: ${why}`);

type Answer<Verb extends VerbName> = z.output<(typeof verbs)[Verb]['output']>;

const endpoints = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `  e${from + i}: { profiles: [web], ipv4: [10.0.0.${from + i}] }\n`).join(
    '',
  );
const BEFORE = `
profiles: { web: { tags: [web, old] }, db: { tags: [db] } }
endpoints:
${endpoints(0, 100)}  d: { profiles: [db], ipv4: [10.1.0.1], ipv6: ["2001:db8::1"], ports: { sql: "tcp:5432" } }
networks: { corp: { nets: [10.0.0.0/8, 0.0.0.0/0], except: [10.1.0.0/16] } }
lists: { trusted: { members: ["tag:web", "net:corp"] } }
`;
const AFTER = `
profiles: { web: { tags: [web] }, db: { tags: [db, fresh] } }
endpoints:
${endpoints(20, 110)}  d: { profiles: [db], ipv4: [10.1.0.2], ports: { sql: "tcp:5433" } }
networks: { corp: { nets: [10.0.0.0/8, 192.168.0.0/16], except: [10.2.0.0/16] } }
lists: { trusted: { members: ["tag:web", "tag:fresh"] } }
`;

describe.skipIf(why !== null)('a plan without an agent', () => {
  it('is line by line what an agent would send, against the earlier model and against the saved sets', () =>
    withAgent(
      async ({ bench, namespace }) => {
        await bench.until<Answer<'plan.get'>>('plan.get', {}, ({ lines }) => lines > 0);
        await bench.mutate('plan.apply', { wait: true });
        await bench.settled();
        const before = await filesOf(join(bench.folder, 'model'));
        const save = await namespace.ipset(['save']);
        bench.write('model.yaml', AFTER);
        const real = await bench.until<Answer<'plan.get'>>('plan.get', {}, ({ sets }) =>
          sets.some(({ name, blocked }) => name === 'sk-v4-t.fresh' && blocked === undefined),
        );
        expect(real.lines).toBeGreaterThan(40);
        const model = await filesOf(join(bench.folder, 'model'));
        const config = AgentConfig.parse({});
        const byModel = await offlinePlan({ model, against: { kind: 'model', files: before }, host: 'node-a', config });
        expect(byModel.script).toBe(real.script);
        const rows = (plan: Answer<'plan.get'>) =>
          plan.sets.map(({ name, how, adds, dels }) => ({ name, how, adds, dels }));
        expect(rows(byModel)).toEqual(rows(real));
        const bySave = await offlinePlan({
          model,
          against: { kind: 'save', save: Buffer.from(save) },
          host: 'node-a',
          config,
        });
        expect(linesOf(bySave.script)).toEqual(linesOf(real.script));
      },
      { sets: { apply: 'manual' }, guard: 'off' },
      (bench) => bench.write('model.yaml', BEFORE),
    ));
});

async function filesOf(path: string): Promise<ModelFiles> {
  const read = await readModelDirectory(path);
  if (!read.ok) throw new Error(read.reason);
  return read.files;
}

/** In any order: the file does not tell which hashed name is whose, so some destroys stand elsewhere. */
const linesOf = (script: string): readonly string[] => script.split('\n').toSorted();
