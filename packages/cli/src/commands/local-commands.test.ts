import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../testing/run-cli.ts';

describe('name', () => {
  it('gives the names of both families, or the one of a list', async () => {
    expect((await runCli(['name', 'tag:web', '--json'])).json()).toEqual({ inet: 'sk-v4-t.web', inet6: 'sk-v6-t.web' });
    expect((await runCli(['name', 'list:trusted', '--json'])).json()).toEqual({ name: 'sk-l.trusted' });
    expect((await runCli(['name', `tag:${'x'.repeat(60)}`])).stdout).toContain(
      'inet\tsk-v4-t._454m7n7rxhbxwbzyz6v2hu\n',
    );
    expect((await runCli(['name', 'port:web/http', '--prefix', 'a-'])).stdout).toContain('inet\ta-v4-p._');
  });

  it.each([['web'], ['tag:'], ['port:web'], ['hosts:some'], ['tag:a\u202eb']])('exits 2 for %j', async (group) => {
    expect((await runCli(['name', group])).exitCode).toBe(2);
  });

  it('takes no prefix that could be an option', async () => {
    expect((await runCli(['name', 'tag:web', '--prefix=-F'])).exitCode).toBe(2);
  });
});

describe('validate', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'setkeeper-validate-'));
    mkdirSync(join(folder, 'good'));
    writeFileSync(join(folder, 'good', 'a.yaml'), 'networks: { corp: { nets: ["10.0.0.1/8"] } }\n');
    mkdirSync(join(folder, 'bad'));
    writeFileSync(
      join(folder, 'bad', 'a.yaml'),
      'networks:\n  corp: { nets: ["10.0.0.0/8"] }\n  other: { nets: ["10.0.0.0/99"] }\n',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('finds a model without faults good, and warns beside it', async () => {
    const result = await runCli(['validate', join(folder, 'good')]);
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 objects') });
    expect(result.stderr).toContain('warning');
  });

  it('says file, line and object of a fault, and exits 1', async () => {
    const json = await runCli(['validate', join(folder, 'bad'), '--json']);
    expect(json.exitCode).toBe(1);
    expect(json.json()).toMatchObject({
      ok: false,
      faults: [{ file: 'a.yaml', line: 3, path: expect.stringContaining('other') }],
    });
    expect((await runCli(['validate', join(folder, 'bad')])).stdout).toContain('a.yaml:3: ');
  });

  it('exits 2 for a path that is not there', async () => {
    expect((await runCli(['validate', join(folder, 'none')])).exitCode).toBe(2);
  });
});

describe('the command line', () => {
  it('exits 2 and says what is unknown', async () => {
    for (const words of [
      ['bogus'],
      ['sets', '--bogus'],
      ['set'],
      ['override', 'bogus'],
      ['run'],
      ['runs', '--limit', 'x'],
    ]) {
      const result = await runCli(words);
      expect(result.exitCode).toBe(2);
      expect(result.stderr).not.toBe('');
      expect(result.stdout).toBe('');
    }
  });

  it('prints help and version on stdout', async () => {
    expect(await runCli(['--version'])).toMatchObject({ exitCode: 0, stdout: '0.0.0-test\n' });
    const help = await runCli(['help']);
    expect(help.exitCode).toBe(0);
    for (const command of ['status', 'sets', 'explain', 'cleanup', 'override', 'import', 'user'])
      expect(help.stdout).toContain(`  ${command}`);
  });

  it('takes the options of the program before and after the command', async () => {
    expect((await runCli(['--json', 'name', 'tag:web'])).json()).toEqual(
      (await runCli(['name', '--json', 'tag:web'])).json(),
    );
  });
});

describe('plan --model', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'setkeeper-plan-'));
    const endpoints = (count: number): string =>
      Array.from({ length: count }, (_, i) => `  e${i}: { profiles: [web], ipv4: [10.0.0.${i}] }\n`).join('');
    for (const [name, text] of Object.entries({
      many: `profiles: { web: { tags: [web] } }\nendpoints:\n${endpoints(100)}`,
      most: `profiles: { web: { tags: [web] } }\nendpoints:\n${endpoints(99)}`,
      few: `profiles: { web: { tags: [web] } }\nendpoints:\n${endpoints(10)}`,
      faulty: 'networks: { other: { nets: ["10.0.0.0/99"] } }\n',
    })) {
      mkdirSync(at(name));
      writeFileSync(join(at(name), 'model.yaml'), text);
    }
    writeFileSync(at('agent.yaml'), 'guard: "off"\nsets: { families: [inet] }\n');
    writeFileSync(
      at('sets.save'),
      'create sk-v4-t.web hash:ip family inet hashsize 64 maxelem 1048576\nadd sk-v4-t.web 10.0.0.1\n',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('gives script, digest, counts and what the guard would say, and exits 0', async () => {
    const result = await runCli(['plan', '--model', at('most'), '--against', at('many'), '--json']);
    expect(result.exitCode).toBe(0);
    expect(result.json()).toMatchObject({
      digest: expect.stringMatching(/^[0-9a-f]{64}$/u),
      lines: 2,
      script: expect.stringContaining('del sk-v4-t.web 10.0.0.99\n'),
      sets: [{ group: 'tag:web', family: 'inet', adds: 0, dels: 1, how: 'delta' }],
      guard: { held: false },
    });
  });

  it('exits 1 if the guard would hold it, and says why', async () => {
    const result = await runCli(['plan', '--model', at('few'), '--against', at('many')]);
    expect(result.exitCode).toBe(1);
    expect(result.stdout.split('\n')).toHaveLength(92);
    expect(result.stderr).toContain('HELD, with 90 removals');
    expect(result.stderr).toContain('loses 90 of 100 members');
    const off = ['plan', '--model', at('few'), '--against', at('many'), '--config', at('agent.yaml')];
    expect((await runCli(off)).exitCode).toBe(0);
  });

  it('compares with saved sets, from a file or standard input, or with nothing', async () => {
    const args = ['plan', '--model', at('few'), '--config', at('agent.yaml'), '--json'];
    expect((await runCli([...args, '--against-save', at('sets.save')])).json()).toMatchObject({
      sets: [{ how: 'delta', adds: 9, dels: 0 }],
    });
    expect((await runCli([...args])).json()).toMatchObject({ sets: [{ how: 'create', adds: 10 }] });
  });

  it('exits 1 for a model with a fault, and names it', async () => {
    const result = await runCli(['plan', '--model', at('faulty')]);
    expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('model.yaml:1') });
  });

  it.each([
    [['--against', 'x']],
    [['--host', 'a']],
    [['--model', 'x', 'tag:web']],
    [['--model', 'x', '--reprogram']],
    [['--model', 'x', '--against', 'y', '--against-save', 'z']],
    [['--model', 'not-there']],
  ])('exits 2 for %j', async (args) => {
    expect((await runCli(['plan', ...args])).exitCode).toBe(2);
  });
});
