import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNetworkNamespace, type TestNamespace, whyNoNamespace } from '@setkeeper/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HolderQuestion } from '../holders/holder-question.ts';
import type { HolderTools } from '../holders/holder-tools.ts';
import { helperHolderTools } from './helper-holder-tools.ts';

const ENTRY = new URL('../entry/holders-helper.ts', import.meta.url).pathname;

/** An unprivileged user with what setkeeper-holders.service gives, and with less. */
const user = (capabilities: string, groups: string): readonly string[] => [
  ...['setpriv', '--reuid', '65534', '--regid', '65534', '--groups', groups, '--no-new-privs'],
  ...['--bounding-set', `-all,${capabilities}`, '--inh-caps', capabilities, '--ambient-caps', capabilities, '--'],
];

const why = (await whyNoNamespace()) ?? (await whyNotReadable());

/** What systemd does: listens, and starts the program with the socket as descriptor 3 when somebody connects. */
const ACTIVATE = `
use Socket; $^F = 10; $| = 1;
my $path = shift; socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die; bind($s, sockaddr_un($path)) or die $!;
chmod 0666, $path; listen($s, 8) or die; fileno($s) == 3 or die 'not descriptor 3'; print "listening\\n";
@ENV{qw(LISTEN_FDS LISTEN_PID LISTEN_FDNAMES)} = (1, $$, 'holders'); exec @ARGV`;

const never: HolderTools = { ask: async () => ({ kind: 'unspeakable' }) };

describe.skipIf(why !== null)(`the holders helper${why === null ? '' : `: ${why}`}`, () => {
  let namespace: TestNamespace & { remove(): Promise<void> };
  let folder: string;
  const started: ChildProcess[] = [];

  beforeAll(async () => {
    namespace = await makeNetworkNamespace();
    folder = await mkdtemp(join(tmpdir(), 'sk-holders-'));
    await chmod(folder, 0o777);
    const made = await namespace.exec('sh', [
      '-ec',
      `ipset create held hash:ip; ipset create old hash:ip
       iptables-nft -A INPUT -m set --match-set held src -j DROP
       iptables-legacy -A INPUT -m set --match-set old src -j DROP`,
    ]);
    expect(made.stderr.replace(/^# Warning.*$/gmu, '').trim()).toBe('');
  });

  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL');
    await namespace?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  /** The socket of a helper that has these rights. */
  const startHelper = async (name: string, rights: readonly string[]): Promise<string> => {
    const path = join(folder, name);
    const [file = '', ...args] = [
      ...namespace.prefix,
      ...rights,
      ...['/usr/bin/perl', '-e', ACTIVATE, path, process.execPath, '--no-warnings', ENTRY],
    ];
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    await new Promise((resolve, reject) => {
      child.stdout.once('data', resolve);
      child.once('exit', () => reject(new Error('the helper did not start')));
    });
    return path;
  };
  const ask = async (path: string, question: HolderQuestion, own = never) => {
    const chunks: Uint8Array[] = [];
    const answer = await helperHolderTools(path, own).ask(question, (chunk) => chunks.push(chunk));
    return { answer, text: Buffer.concat(chunks).toString('utf8') };
  };

  it('names the sets of every kind of rule as an unprivileged user with CAP_NET_RAW and group 0', async () => {
    const path = await startHelper('good', user('+net_admin,+net_raw', '0'));
    const nft = await ask(path, { ask: 'rules', tool: 'iptables-nft-save' });
    expect(nft.answer).toMatchObject({ kind: 'ran', exit: { exitCode: 0 } });
    expect(nft.text).toContain('--match-set held src');
    const legacy = await ask(path, { ask: 'rules', tool: 'iptables-legacy-save' });
    expect(legacy.answer).toMatchObject({ kind: 'ran', exit: { exitCode: 0 } });
    expect(legacy.text).toContain('--match-set old src');
  });

  it('says what it may not read where group 0 is missing', async () => {
    const path = await startHelper('less', user('+net_admin,+net_raw', '65534'));
    const { answer, text } = await ask(path, { ask: 'rules', tool: 'iptables-legacy-save' });
    expect(answer).toEqual({ kind: 'hidden', why: '/proc/net/ip_tables_names may not be read' });
    expect(text).toBe('');
  });

  it('answers nothing but the closed list of questions', async () => {
    const path = await startHelper('closed', user('+net_admin,+net_raw', '0'));
    for (const line of [
      '{"ask":"rules","tool":"/bin/sh"}\n',
      '{"ask":"rules","tool":"iptables-nft-save","args":["-f","/etc/passwd"]}\n',
      'GET / HTTP/1.1\r\n\r\n',
      'x'.repeat(100_000),
    ])
      expect(await say(path, line)).toBe('');
    const { answer } = await ask(path, { ask: 'nft-table', family: 'ip', table: 'x; flush ruleset' });
    expect(answer).toEqual({ kind: 'unspeakable' });
    expect((await ask(path, { ask: 'rules', tool: 'iptables-nft-save' })).text).toContain('held');
  });

  it('is done without where nobody listens, and a helper that ends in the middle is a tool that failed', async () => {
    const own: HolderTools = { ask: async () => ({ kind: 'missing' }) };
    expect((await ask(join(folder, 'nobody'), { ask: 'nft-tables' }, own)).answer).toEqual({ kind: 'missing' });
    const path = join(folder, 'broken');
    const server = createServer((socket) => socket.resume().end());
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const { answer } = await ask(path, { ask: 'nft-tables' }, own);
    await new Promise((resolve) => server.close(resolve));
    expect(answer).toMatchObject({
      kind: 'ran',
      exit: { exitCode: null, spawnError: expect.stringContaining('ended') },
    });
  });
});

/** The helper runs as another user, who has to be able to read this checkout. */
async function whyNotReadable(): Promise<string | null> {
  const [file = '', ...args] = [...user('+net_admin', '65534'), process.execPath, '--check', ENTRY];
  const child = spawn(file, args, { stdio: 'ignore' });
  const isReadable = await new Promise((resolve) => child.once('close', (code) => resolve(code === 0)));
  return isReadable ? null : 'needs a checkout that other users may read';
}

/** Everything that comes back. */
function say(path: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(path, () => socket.write(text));
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(heard));
  });
}
