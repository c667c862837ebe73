import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { whyNoNamespace, withNetworkNamespace } from '../network-namespace.ts';
import { FakeKernel } from './fake-kernel.ts';
import { FakeRestore } from './fake-restore.ts';
import { saveText } from './ipset-output.ts';

const reason = await whyNoNamespace();

/** A kind of set, and an element that it takes. */
const KINDS = [
  ['hash:ip family inet', '192.0.2.1'],
  ['hash:ip family inet6', '2001:db8::1'],
  ['hash:net family inet', '192.0.2.0/30'],
  ['hash:net family inet6', '2001:db8::/64'],
  ['hash:ip,port family inet', '192.0.2.1,6:80'],
  ['list:set', 'm'],
] as const;

describe.skipIf(reason !== null)(
  `a set that is made again as another kind behind a restore's back${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    it(
      'takes, changes or refuses an element of the old kind as in the real kernel',
      () =>
        withNetworkNamespace(async (namespace) => {
          for (const [old, element] of KINDS) {
            for (const [other] of KINDS) {
              if (old === other) continue;
              const before = [
                'create m hash:ip',
                'create z hash:ip',
                `create s ${old}`,
                `add s ${element}`,
                'list -n z',
              ];
              const foreign = ['destroy s', `create s ${other}`];
              const after = [`add s ${element}`, 'list -n z'];

              await namespace.ipset(['restore'], 'flush\ndestroy\n');
              const real = execa(
                'ip',
                ['netns', 'exec', namespace.name, 'stdbuf', '-oL', 'ipset', '-exist', 'restore'],
                { reject: false },
              );
              real.stdin.write(before.map((line) => `${line}\n`).join(''));
              await new Promise((resolve) => real.stdout.once('data', resolve));
              await namespace.ipset(['restore'], foreign.map((line) => `${line}\n`).join(''));
              real.stdin.end(after.map((line) => `${line}\n`).join(''));
              const { exitCode, stderr } = await real;

              const kernel = new FakeKernel();
              const fake = new FakeRestore(kernel, ['-exist']);
              for (const line of before) fake.take(line);
              const foreigner = new FakeRestore(kernel);
              for (const line of foreign) foreigner.take(line);
              for (const line of after) fake.take(line);
              const seen = {
                exitCode: fake.end(),
                stderr: fake.takeOutput().stderr.trimEnd(),
                state: comparable(saveText([...kernel.sets.values()])),
              };
              expect(seen, `${old} became ${other}`).toEqual({
                exitCode,
                stderr,
                state: comparable(await namespace.ipset(['save'])),
              });
            }
          }
        }),
      60_000,
    );
  },
);

const comparable = (save: string): readonly string[] =>
  save
    .replaceAll(/ bucketsize \d+ initval 0x[0-9a-f]+/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .sort();
