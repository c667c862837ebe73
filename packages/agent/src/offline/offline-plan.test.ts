import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AgentConfig } from '../config/agent-config.ts';
import { readModelDirectory } from '../sources/directory/read-model-directory.ts';
import { type ModelFiles, offlinePlan, type PlanBase } from './offline-plan.ts';

const root = mkdtempSync(join(tmpdir(), 'sk-offline-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;

/** A model directory of these files, read. */
async function model(files: Readonly<Record<string, string>>): Promise<ModelFiles> {
  const folder = join(root, String(++folders));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const read = await readModelDirectory(folder);
  if (!read.ok) throw new Error(read.reason);
  return read.files;
}
const one = (text: string): Promise<ModelFiles> => model({ 'model.yaml': text });
const against = async (text: string): Promise<PlanBase> => ({ kind: 'model', files: await one(text) });
const save = (text: string): PlanBase => ({ kind: 'save', save: Buffer.from(text) });
const NOTHING: PlanBase = { kind: 'nothing' };

const INET = AgentConfig.parse({ sets: { families: ['inet'] } });
const plan = async (text: string, base: PlanBase, more: { host?: string; config?: AgentConfig } = {}) =>
  offlinePlan({ model: await one(text), against: base, host: more.host ?? null, config: more.config ?? INET });
const changes = ({ sets }: Awaited<ReturnType<typeof plan>>): readonly string[] =>
  sets.map(({ name, how, adds, dels }) => `${name} ${how} +${adds} -${dels}`);

/** So many endpoints in one tag. */
const web = (count: number): string =>
  `profiles: { web: { tags: [web] } }\nendpoints:\n${Array.from({ length: count }, (_, i) => `  e${i}: { profiles: [web], ipv4: [10.0.${i >> 8}.${i & 255}] }\n`).join('')}`;
const SMALL = 'profiles: { web: { tags: [web] } }\nendpoints: { a: { profiles: [web], ipv4: [10.0.0.1] } }\n';

describe('a plan without an agent', () => {
  it('creates everything where there is nothing, in both families, with the exact script', async () => {
    const made = await offlinePlan({ model: await one(SMALL), against: NOTHING, host: null });
    expect(changes(made)).toEqual(['sk-v4-t.web create +1 -0', 'sk-v6-t.web create +0 -0']);
    expect(made.script).toBe(
      'create sk-v4-t.web hash:ip family inet hashsize 64 maxelem 1048576\n' +
        'add sk-v4-t.web 10.0.0.1\n' +
        'create sk-v6-t.web hash:ip family inet6 hashsize 64 maxelem 1048576\n',
    );
    expect(made).toMatchObject({ lines: 3, scriptTruncated: false, guard: { held: false, why: [] }, faults: [] });
  });

  it('against an earlier model is the delta, and has the same digest each time', async () => {
    const before = await against(SMALL);
    const first = await plan(SMALL.replace('10.0.0.1', '10.0.0.2'), before);
    expect(changes(first)).toEqual(['sk-v4-t.web delta +1 -1']);
    expect(first.sets[0]).toMatchObject({ before: 1, after: 1, firstLine: 1, lines: 3 });
    expect((await plan(SMALL.replace('10.0.0.1', '10.0.0.2'), before)).digest).toBe(first.digest);
    expect((await plan(SMALL, before)).lines).toBe(0);
  });

  it('says that the guard would hold a change that takes too much, and still shows all of it', async () => {
    const held = await plan(web(10), { kind: 'model', files: await one(web(100)) });
    expect(held.guard).toMatchObject({
      held: true,
      removes: 90,
      sets: [{ group: 'tag:web', family: 'inet', removes: 90, of: 100 }],
    });
    expect(held.guard.why.join()).toContain('loses 90 of 100 members');
    expect(held.guard.why.join()).toContain('the source model lost 90 of 101 objects');
    expect(changes(held)).toEqual(['sk-v4-t.web delta +0 -90']);
    expect((await plan(web(80), { kind: 'model', files: await one(web(100)) })).guard.held).toBe(false);
  });

  it('judges by the configuration that it is given', async () => {
    const files = await one(web(100));
    const off = AgentConfig.parse({ sets: { families: ['inet'] }, guard: 'off' });
    expect((await plan(web(10), { kind: 'model', files }, { config: off })).guard.held).toBe(false);
    const other = AgentConfig.parse({ sets: { families: ['inet'], prefix: 'x-' } });
    expect(changes(await plan(SMALL, NOTHING, { config: other }))).toEqual(['x-v4-t.web create +1 -0']);
  });

  it('takes a set that the model wants for used: emptying it would be held', async () => {
    const emptied = await plan('profiles: { web: { tags: [web] } }\n', await against(SMALL));
    expect(emptied.guard.why.join()).toContain('would be emptied');
  });

  it('destroys what vanishes with its lists, and says when that is too much at once', async () => {
    const many = (count: number): string =>
      `profiles:\n${Array.from({ length: count }, (_, i) => `  p${i}: { tags: [t${i}] }\n`).join('')}` +
      'networks: { corp: { nets: [10.0.0.0/8] } }\nlists: { all: { members: ["net:corp"] } }\n';
    const some = await plan(many(4), { kind: 'model', files: await one(many(6)) });
    expect(changes(some).toSorted()).toEqual(['sk-v4-t.t4 destroy +0 -0', 'sk-v4-t.t5 destroy +0 -0']);
    expect(some.guard.held).toBe(false);
    const most = await plan('networks: { corp: { nets: [10.0.0.0/8] } }\n', {
      kind: 'model',
      files: await one(many(4)),
    });
    expect(changes(most).at(0)).toBe('sk-l.all destroy +0 -1');
    expect(most.guard.why.join()).toContain('5 managed sets vanish at once');
  });

  it('counts references for the host that is asked about, or for every host', async () => {
    const text = `${SMALL}references:\n  r1: { groups: ["tag:web"], hosts: ["rack1-*"] }\n  r2: { groups: ["net:corp"], hosts: [db] }\n`;
    expect(changes(await plan(text, NOTHING, { host: 'rack1-7' }))).toEqual(['sk-v4-t.web create +1 -0']);
    expect(changes(await plan(text, NOTHING, { host: 'db' }))).toEqual(['sk-v4-n.corp create +0 -0']);
    expect(changes(await plan(text, NOTHING))).toHaveLength(2);
  });

  it('keeps the earlier value of an object that has a fault, as an agent does, and names the fault', async () => {
    const broken = await plan(SMALL.replace('10.0.0.1', '10.0.0.1/8'), await against(SMALL));
    expect(broken.lines).toBe(0);
    expect(broken.faults).toMatchObject([{ file: 'model.yaml', path: 'endpoints.a.ipv4[0]' }]);
  });

  it('takes a file that is gone for what it named, and one that cannot be parsed for nothing', async () => {
    const two = { 'a.yaml': SMALL, 'b.yaml': 'endpoints: { b: { profiles: [web], ipv4: [10.0.0.2] } }\n' };
    const base: PlanBase = { kind: 'model', files: await model(two) };
    const config = AgentConfig.parse({ sets: { families: ['inet'] } });
    const without = await offlinePlan({ model: await model({ 'a.yaml': SMALL }), against: base, host: null, config });
    expect(changes(without)).toEqual(['sk-v4-t.web delta +0 -1']);
    const cut = await offlinePlan({
      model: await model({ ...two, 'b.yaml': 'endpoints: { b: {' }),
      against: base,
      host: null,
      config,
    });
    expect(cut.lines).toBe(0);
    expect(cut.faults).toHaveLength(1);
  });

  it('fills what has room and no more', async () => {
    const config = AgentConfig.parse({ sets: { families: ['inet'], maxelem: 50 } });
    expect(changes(await plan(web(60), { kind: 'model', files: await one(web(60)) }, { config }))).toEqual([]);
    const fewer = await plan(
      web(60).replace('  e0: { profiles: [web], ipv4: [10.0.0.0] }\n', ''),
      { kind: 'model', files: await one(web(60)) },
      { config },
    );
    expect(changes(fewer)).toEqual(['sk-v4-t.web delta +1 -1']);
  });
});

describe('a plan against saved sets', () => {
  const SAVED = 'create sk-v4-t.web hash:ip family inet hashsize 64 maxelem 1048576\nadd sk-v4-t.web 10.0.0.1\n';

  it('is a minimal delta for a set that fits, and writes one anew that does not', async () => {
    expect(changes(await plan(SMALL, save(SAVED)))).toEqual([]);
    expect(changes(await plan(SMALL.replace('10.0.0.1', '10.0.0.2'), save(SAVED)))).toEqual([
      'sk-v4-t.web delta +1 -1',
    ]);
    const small = await plan(SMALL, save(SAVED.replace('1048576', '1024')));
    expect(changes(small)).toEqual(['sk-v4-t.web rewrite +1 -0']);
  });

  it('never touches what is not ours', async () => {
    const text = `${SAVED}create blacklist hash:ip family inet hashsize 64 maxelem 10\nadd blacklist 192.0.2.1\ncreate sk-other hash:ip family inet hashsize 64 maxelem 10\n`;
    expect(changes(await plan(SMALL, save(text)))).toEqual([]);
  });

  it('holds the removals of a set that loses too much', async () => {
    const text = `${SAVED}${Array.from({ length: 99 }, (_, i) => `add sk-v4-t.web 10.9.0.${i}\n`).join('')}`;
    const made = await plan(SMALL, save(text));
    expect(made.guard).toMatchObject({ held: true, removes: 99 });
    expect(changes(made)).toEqual(['sk-v4-t.web delta +0 -99']);
  });

  it('takes sets that no group of the model has for sets that vanish with the change', async () => {
    const gone = ['sk-v4-t.a', 'sk-v4-n.b', 'sk-v4-h.all', 'sk-v4-p._53nuah127fk0xk8o307kok', 'sk-v4-t._abcdefgh'].map(
      (name) =>
        `create ${name} ${name.includes('-p.') ? 'hash:ip,port' : name.includes('-n.') ? 'hash:net' : 'hash:ip'} family inet hashsize 64 maxelem 1048576\n`,
    );
    const made = await plan(SMALL, save(SAVED + gone.join('')));
    expect(made.guard.why).toEqual(['5 managed sets vanish at once']);
    expect(changes(made).filter((change) => change.includes('destroy'))).toHaveLength(5);
    expect(made.lines).toBe(5);
    expect(made.sets.filter(({ group }) => group === null)).toHaveLength(2);
    expect(new Set(made.sets.map(({ firstLine }) => firstLine))).toEqual(new Set([1, 2, 3, 4, 5]));
    expect((await plan(SMALL, save(SAVED + gone.slice(0, 4).join('')))).guard.held).toBe(false);
  });

  it('says which lines are none of a save', async () => {
    expect((await plan(SMALL, save(`${SAVED}garbage\n`))).notes).toEqual(['line 3 is none of "ipset save": garbage']);
  });
});
