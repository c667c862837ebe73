import type { SetName } from '@setkeeper/ipset';
import { createFakeClock, FakeKernel, FakeLauncher, FakeRestore } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { Launcher } from '../launcher/launcher-client.ts';
import { createKernelReader } from './create-kernel-reader.ts';

const name = (text: string) => text as SetName;
const IGNORE = { onSet: () => undefined, onMember: () => undefined, onAnomaly: () => undefined };

interface Said {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number | null;
  readonly signal?: string;
  readonly spawnError?: string;
}

/** A reader whose ipset prints what the script says for its arguments; nothing and status 0 for all others. */
function scripted(script: Readonly<Record<string, Said>>) {
  const asked: string[] = [];
  const launcher: Pick<Launcher, 'spawn'> = {
    spawn: ({ args, onStdout, onStderr }) => {
      asked.push(args.join(' '));
      const { stdout = '', stderr = '', exitCode = 0, signal = null, spawnError } = script[args.join(' ')] ?? {};
      const exit = (async () => {
        if (stdout !== '') await onStdout?.(Buffer.from(stdout));
        if (stderr !== '') await onStderr?.(Buffer.from(stderr));
        return { exitCode, signal, ...(spawnError === undefined ? {} : { spawnError }) };
      })();
      return {
        pid: Promise.resolve(1),
        write: () => Promise.resolve(),
        end: () => undefined,
        kill: () => undefined,
        exit,
      };
    },
  };
  const reader = createKernelReader({
    launcher: launcher as Launcher,
    clock: createFakeClock(),
    ipsetPath: '/usr/sbin/ipset',
    timeoutSeconds: 60,
  });
  return { asked, reader };
}

const terse = (set: string): string =>
  `Name: ${set}\nType: hash:ip\nRevision: 6\nHeader: family inet hashsize 64 maxelem 65536\nSize in memory: 200\nReferences: 2\nNumber of entries: 1\n`;
const SAVE = 'create a hash:ip family inet hashsize 64 maxelem 65536\nadd a 192.0.2.1\n';
const WARNING = 'Kernel support protocol versions 6-7 while userspace supports protocol versions 6-6';
const MISSING = 'ipset v7.17: The set with the given name does not exist\n';
const OLD = `ipset v6.38: ${WARNING}\nKernel and userspace incompatible: settype hash:ip with revision 6 not supported by userspace.\n`;

describe('headers', () => {
  it('are read with references and entries', async () => {
    const { reader } = scripted({ 'list -t': { stdout: `${terse('a')}\n${terse('b')}` } });
    const reading = await reader.headers();
    expect(reading).toMatchObject({ ok: true, warnings: [] });
    const seen = reading.ok
      ? reading.value.map(({ header, references, entries }) => [header.name, references, entries])
      : [];
    expect(seen).toEqual([
      ['a', 2, 1],
      ['b', 2, 1],
    ]);
  });

  it('of nothing are believed only when the names are gone too', async () => {
    expect(await scripted({}).reader.headers()).toMatchObject({ ok: true, value: [] });
    const broken = scripted({ 'list -n': { stdout: 'a\nb\n' } });
    expect(await broken.reader.headers()).toMatchObject({ ok: false, fault: { code: 'empty-while-names' } });
  });

  it('that ipset printed before it failed are not the truth', async () => {
    const { reader } = scripted({ 'list -t': { stdout: terse('a'), stderr: 'ipset v7.17: something\n', exitCode: 1 } });
    expect(await reader.headers()).toMatchObject({
      ok: false,
      fault: { code: 'partial', raw: 'ipset v7.17: something\n' },
    });
  });

  it('that end in the middle are not the truth though the status is 0', async () => {
    const { reader } = scripted({ 'list -t': { stdout: `${terse('a')}\nName: b\nType: hash:ip\nRevi` } });
    expect(await reader.headers()).toMatchObject({ ok: false, fault: { code: 'partial' } });
  });

  it('are read set by set where one has a revision that this ipset does not know', async () => {
    const { reader } = scripted({
      'list -t': { stdout: terse('a'), stderr: OLD, exitCode: 1 },
      'list -n': { stdout: 'a\nnewer\n-F\n' },
      'list -t a': { stdout: terse('a') },
      'list -t newer': { stderr: OLD, exitCode: 1 },
    });
    const reading = await reader.headers();
    expect(reading).toMatchObject({ ok: true, unreadable: [{ name: 'newer' }, { name: '-F' }] });
    expect(reading.ok && reading.value.map(({ header }) => header.name)).toEqual(['a']);
  });

  it('are read set by set where the name of one holds a newline, and what it pretends to be is not believed', async () => {
    const hostile = 'x\nName: b\nType: hash:net\na';
    const { reader } = scripted({
      'list -t': { stdout: `${terse('a')}\n${terse(hostile)}` },
      'list -n': { stdout: `a\n${hostile}\n` },
      'list -t a': { stdout: terse('a') },
      'list -t x': { stderr: MISSING, exitCode: 1 },
      'list -t Name: b': { stderr: MISSING, exitCode: 1 },
      'list -t Type: hash:net': { stderr: MISSING, exitCode: 1 },
    });
    const reading = await reader.headers();
    expect(reading.ok && reading.value.map(({ header }) => header.name)).toEqual(['a']);
    expect(reading).toMatchObject({ unreadable: [{ name: 'x' }, { name: 'Name: b' }, { name: 'Type: hash:net' }] });
  });

  it('that no line can be understood of are no truth, set by set neither', async () => {
    const garbage = 'Name: a\n\nnonsense\n';
    const { reader } = scripted({
      'list -t': { stdout: garbage },
      'list -n': { stdout: 'a\n' },
      'list -t a': { stdout: garbage },
    });
    expect(await reader.headers()).toMatchObject({ ok: false, fault: { code: 'unparsable' } });
  });

  it('keep a protocol warning beside the truth', async () => {
    const { reader } = scripted({ 'list -t': { stdout: terse('a'), stderr: `ipset v6.38: ${WARNING}\n` } });
    expect(await reader.headers()).toMatchObject({ ok: true, warnings: [expect.stringContaining(WARNING)] });
  });

  it.each([
    [{ exitCode: null, spawnError: 'no such file' }, 'spawn-failed'],
    [{ exitCode: null, signal: 'SIGKILL' }, 'killed'],
    [{ exitCode: 1, stderr: 'ipset v7.17: Kernel error received: Operation not permitted\n' }, 'permission'],
    [{ exitCode: 1, stderr: 'ipset v7.17: Cannot open session to kernel.\n' }, 'permission'],
    [{ exitCode: 1, stderr: 'ipset v7.17: ?\n' }, 'other'],
  ])('that could not be read say why: %j', async (end, code) => {
    expect(await scripted({ 'list -t': end }).reader.headers()).toMatchObject({ ok: false, fault: { code } });
  });
});

describe('one header', () => {
  it('of a set that is not there is set-missing', async () => {
    const { reader } = scripted({ 'list -t a': { stderr: MISSING, exitCode: 1 } });
    expect(await reader.header(name('a'))).toMatchObject({ ok: false, fault: { code: 'set-missing' } });
  });

  it('of a set whose name would be an option is never asked for', async () => {
    const { reader, asked } = scripted({});
    expect(await reader.header(name('-exist'))).toMatchObject({ ok: false });
    expect(asked).toEqual([]);
  });
});

describe('members', () => {
  it('go to the visitor and are counted, plain IPv4 without a string each', async () => {
    const stdout =
      'create a hash:net family inet hashsize 64 maxelem 65536\nadd a 192.0.2.1\nadd a 10.0.0.0/8 nomatch\n';
    const { reader } = scripted({ 'save a': { stdout } });
    const seen: unknown[] = [];
    const reading = await reader.members(name('a'), {
      ...IGNORE,
      onMember: (_set, element) => void seen.push(element),
      onIpv4: (_set, address, prefixLength) => void seen.push([address, prefixLength]),
    });
    expect(reading).toMatchObject({ ok: true, value: { members: 2 } });
    expect(seen).toEqual([[0xc0000201, 32], '10.0.0.0/8']);
  });

  it('of a save that printed nothing are not "no members"', async () => {
    expect(await scripted({}).reader.members(name('a'), IGNORE)).toMatchObject({
      ok: false,
      fault: { code: 'unparsable' },
    });
  });
});

describe('everything', () => {
  it('is read in one go where every header can be read', async () => {
    const { reader, asked } = scripted({ 'list -t': { stdout: terse('a') }, save: { stdout: SAVE } });
    expect(await reader.everything(IGNORE)).toMatchObject({ ok: true, value: { sets: 1, members: 1 } });
    expect(asked).toEqual(['list -t', 'save']);
  });

  it('is read set by set where one cannot be read, and shows that one as such', async () => {
    const { reader, asked } = scripted({
      'list -t': { stderr: OLD, exitCode: 1 },
      'list -n': { stdout: 'a\nnewer\n' },
      'list -t a': { stdout: terse('a') },
      'list -t newer': { stderr: OLD, exitCode: 1 },
      'save a': { stdout: SAVE },
    });
    const reading = await reader.everything(IGNORE);
    expect(reading).toMatchObject({ ok: true, value: { sets: 1, members: 1 }, unreadable: [{ name: 'newer' }] });
    expect(asked).not.toContain('save');
  });

  it('that printed nothing while there are headers is an alarm', async () => {
    const { reader } = scripted({ 'list -t': { stdout: terse('a') } });
    expect(await reader.everything(IGNORE)).toMatchObject({ ok: false, fault: { code: 'empty-while-names' } });
  });
});

it('reads a fake kernel as it reads a real one', async () => {
  const kernel = new FakeKernel();
  const restore = new FakeRestore(kernel);
  for (const line of ['create a hash:ip', 'add a 192.0.2.1', 'create l list:set', 'add l a']) restore.take(line);
  restore.end();
  kernel.beginDump('a');
  const launcher = new FakeLauncher({ kernel });
  const reader = createKernelReader({
    launcher,
    clock: createFakeClock(),
    ipsetPath: '/usr/sbin/ipset',
    timeoutSeconds: 60,
  });
  expect(await reader.header(name('a'))).toMatchObject({ ok: true, value: { references: 1, entries: 1 } });
  expect(await reader.everything(IGNORE)).toMatchObject({ ok: true, value: { sets: 2, members: 2 } });
  expect(await reader.dumps()).toEqual([{ pid: expect.any(Number), command: 'unknown' }]);
});
