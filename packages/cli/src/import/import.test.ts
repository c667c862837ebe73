import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCli } from '../testing/run-cli.ts';
import { documentText } from './document-text.ts';
import { importedModel } from './imported-model.ts';
import { savedSets } from './saved-sets.ts';

const read = (text: string) => {
  const { sets, anomalies } = savedSets(Buffer.from(text, 'latin1'));
  const model = importedModel(sets);
  return { anomalies, model, document: parse(documentText(model)) as Record<string, Record<string, unknown>> };
};
const hash = 'family inet hashsize 1024 maxelem 65536 bucketsize 12 initval 0x1';

describe('import', () => {
  it('makes networks of sets of addresses and of networks, exceptions kept', () => {
    const { document, model } = read(
      `create corp hash:net ${hash}\nadd corp 10.0.0.0/8\nadd corp 10.1.0.0/16 nomatch\ncreate hosts hash:ip ${hash}\nadd hosts 192.0.2.1\n`,
    );
    expect(document).toEqual({
      networks: { corp: { nets: ['10.0.0.0/8'], except: ['10.1.0.0/16'] }, hosts: { nets: ['192.0.2.1'] } },
    });
    expect(model.notExpressed).toEqual([]);
    expect(Object.fromEntries(model.groups)).toEqual({ corp: 'net:corp', hosts: 'net:hosts' });
  });

  it('makes endpoints of one profile of addresses with ports', () => {
    const { document, model } = read(
      `create web hash:ip,port ${hash}\nadd web 10.0.0.1,tcp:80\nadd web 10.0.0.1,udp:53\nadd web 10.0.0.2,icmp:echo-request\n`,
    );
    expect(document.profiles).toEqual({ web: { tags: ['web'] } });
    expect(document.endpoints).toEqual({
      'web/10.0.0.1/tcp-80': { profiles: ['web'], ipv4: ['10.0.0.1'], ports: { port: 'tcp:80' } },
      'web/10.0.0.1/udp-53': { profiles: ['web'], ipv4: ['10.0.0.1'], ports: { port: 'udp:53' } },
    });
    expect(model.notExpressed).toMatchObject([{ set: 'web', what: '10.0.0.2,icmp:echo-request' }]);
  });

  it('makes lists of sets of sets, wherever they stand in the file', () => {
    const { document } = read(
      `create all list:set size 8\ncreate a hash:ip ${hash}\ncreate b hash:net ${hash}\nadd all a\nadd all b\n`,
    );
    expect(document.lists).toEqual({ all: { members: ['net:a', 'net:b'] } });
  });

  it('reports every set and every parameter that the model cannot say', () => {
    const { model } = read(
      `${[
        'create macs hash:mac hashsize 1024 maxelem 65536 bucketsize 12 initval 0x1',
        'add macs 00:11:22:33:44:55',
        `create bans hash:ip ${hash} timeout 600 counters comment`,
        'add bans 192.0.2.9 timeout 420 packets 3 bytes 180 comment "ssh \u001b[31m"',
        'add bans 192.0.2.10 timeout 0 packets 0 bytes 0',
        'create both list:set size 8',
        'add both macs',
      ].join('\n')}\n`,
    );
    const said = model.notExpressed.map(({ set, what, count }) => [set, what, count]);
    expect(said).toEqual([
      ['macs', undefined, 1],
      ['bans', 'timeout', 1],
      ['bans', 'counters', 0],
      ['bans', 'comment', 1],
      ['both', 'macs', 1],
    ]);
  });

  it('keeps comments as harmless comments of the document', () => {
    const { sets } = savedSets(
      Buffer.from(`create c hash:ip ${hash} comment\nadd c 192.0.2.9 comment "a\u001bb # x: y"\n`, 'latin1'),
    );
    expect(documentText(importedModel(sets))).toContain('- "192.0.2.9" # a\\x1bb # x: y\n');
  });

  it('keeps comments of the members of a list, too', () => {
    const { sets } = savedSets(
      Buffer.from(
        `create n hash:net ${hash}\ncreate l list:set size 8 comment\nadd l n comment "the office"\n`,
        'latin1',
      ),
    );
    const text = documentText(importedModel(sets));
    expect(text).toContain('- "net:n" # the office\n');
    expect(parse(text)).toMatchObject({ lists: { l: { members: ['net:n'] } } });
  });

  it('reports room that no set gets by itself, and promises nothing of a set that it leaves out', () => {
    const { model } = read(
      [
        'create big hash:ip family inet hashsize 1024 maxelem 2000000 bucketsize 12 initval 0x1',
        'create macs hash:mac hashsize 1024 maxelem 65536 comment bucketsize 12 initval 0x1',
        'add macs 00:11:22:33:44:55 comment "printer"\n',
      ].join('\n'),
    );
    expect(model.notExpressed.map(({ set, what }) => [set, what])).toEqual([
      ['big', 'maxelem'],
      ['macs', undefined],
    ]);
  });

  it('lets no name become structure', () => {
    const { document, model } = read(`create {"a":[x hash:ip ${hash}\nadd {"a":[x 192.0.2.1\n`);
    expect(document.networks).toEqual({ '{"a":[x': { nets: ['192.0.2.1'] } });
    expect(model.notExpressed).toEqual([]);
  });

  it('does not mix port groups with others in one list', () => {
    const { document, model } = read(
      `create p hash:ip,port ${hash}\nadd p 10.0.0.1,tcp:80\ncreate n hash:net ${hash}\ncreate l list:set size 8\nadd l p\nadd l n\n`,
    );
    expect(document.lists).toEqual({ l: { members: ['net:n'] } });
    expect(model.notExpressed).toMatchObject([{ set: 'l', what: 'p' }]);
  });

  it('says networks of a hash:ip with a netmask as networks', () => {
    const { document } = read(`create m hash:ip ${hash} netmask 24\nadd m 10.1.2.0\n`);
    expect(document.networks).toEqual({ m: { nets: ['10.1.2.0/24'] } });
  });
});

describe('setkeeper import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'setkeeper-import-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'save');

  it('prints documents, talks beside them, and gives both in JSON', async () => {
    writeFileSync(file, `create c hash:ip ${hash} counters\nadd c 192.0.2.9 packets 1 bytes 2\ngarbage\n`);
    const plain = await runCli(['import', file]);
    expect(plain.exitCode).toBe(0);
    expect(parse(plain.stdout)).toEqual({ networks: { c: { nets: ['192.0.2.9'] } } });
    expect(plain.stderr).toContain('garbage');
    const json = (await runCli(['import', file, '--json'])).json() as { documents: string; notExpressed: unknown[] };
    expect(json.documents).toBe(plain.stdout);
    expect(json.notExpressed).toHaveLength(2);
  });

  it('exits 2 for a file that is no save output, or is not there', async () => {
    writeFileSync(file, 'hello\n');
    expect((await runCli(['import', file])).exitCode).toBe(2);
    expect((await runCli(['import', join(folder, 'none')])).exitCode).toBe(2);
  });
});
