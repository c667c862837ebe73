import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNetworkNamespace, whyNoNamespace } from '../network-namespace.ts';
import { randomScripts } from '../random-script.ts';
import { FakeKernel } from './fake-kernel.ts';
import { FakeRestore } from './fake-restore.ts';
import { saveText } from './ipset-output.ts';

const reason = await whyNoNamespace();
const COUNT = Number(process.env.SETKEEPER_SCRIPTS ?? 150);
const SEED = Number(process.env.SETKEEPER_SEED ?? 20260601);

describe.skipIf(reason !== null)(
  `the fake kernel beside the real one${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    let namespace: Awaited<ReturnType<typeof makeNetworkNamespace>>;
    beforeAll(async () => {
      namespace = await makeNetworkNamespace();
    });
    afterAll(() => namespace.remove());

    it(`ends ${COUNT} random scripts with the same status, words and content (seed ${SEED})`, async () => {
      for (const { setup, input, args, seed } of randomScripts(SEED, COUNT)) {
        await namespace.ipset(['restore'], 'flush\ndestroy\n');
        await namespace.ipset(['-exist', 'restore'], setup);
        const real = await namespace.exec('ipset', [...args, 'restore'], { input });
        const realState = lines(await namespace.ipset(['save']));

        const kernel = new FakeKernel();
        run(kernel, setup, ['-exist']);
        const fake = run(kernel, input, args);
        const seen = {
          exitCode: fake.exitCode,
          stderr: fake.stderr,
          state: lines(saveText([...kernel.sets.values()])),
        };
        expect(seen, `seed ${seed}, args ${args.join(' ')}\n${setup}---\n${input}`).toEqual({
          exitCode: real.exitCode,
          stderr: real.stderr,
          state: realState,
        });
      }
    }, 120_000);
  },
);

function run(kernel: FakeKernel, input: string, args: readonly string[]) {
  const process = new FakeRestore(kernel, args);
  for (const line of input.split('\n').slice(0, -1)) process.take(line);
  const exitCode = process.end();
  return { exitCode, ...process.takeOutput() };
}

const lines = (save: string): readonly string[] =>
  save
    .replaceAll(/ bucketsize \d+ initval 0x[0-9a-f]+/g, '')
    .replaceAll(/ hashsize \d+/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .sort();
