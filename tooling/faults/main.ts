/**
 * Faults on the real thing: the bundled agent and gateway on the real kernel, killed, starved and shouted at.
 *
 *   node tooling/faults/main.ts [--soak] [--kills N] [--malformed N] [--streams N] [--events N] [--seed N] [--only NAME]
 *
 * `./test` runs it small, `pnpm soak` large; nothing else differs. The seed is printed: with it the same kills, bytes
 * and changes are chosen again (moments differ: they are the machine's).
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { whyNoNamespace } from '@setkeeper/testkit';
import type { Tally } from '../test/tally.ts';
import { allTrials } from './all-trials.ts';
import { runTrials } from './run-trials.ts';

const count = (text: string | undefined, otherwise: number): number => {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  console.error(`${text} is no count`);
  process.exit(2);
};
const { values } = parseArgs({
  options: {
    soak: { type: 'boolean', default: false },
    kills: { type: 'string' },
    malformed: { type: 'string' },
    streams: { type: 'string' },
    events: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string', multiple: true },
  },
});
const sizes = {
  kills: count(values.kills, values.soak ? 500 : 50),
  malformed: count(values.malformed, values.soak ? 100_000 : 10_000),
  streams: count(values.streams, values.soak ? 3_000 : 300),
  events: count(values.events, values.soak ? 1_000_000 : 50_000),
};
const seed = count(values.seed, Math.floor(Math.random() * 1_000_000));
const why = await whyNoNamespace();
if (why !== null) {
  console.error(`Faults cannot be tried here: ${why}`);
  process.exit(1);
}

const trials = allTrials.filter(({ name }) => values.only === undefined || values.only.includes(name));
console.log(
  `seed ${seed}; ${Object.entries(sizes)
    .map(([what, size]) => `${size} ${what}`)
    .join(', ')}`,
);
const { passed, failures, table } = await runTrials(trials, { sizes, seed, say: (line) => console.log(line) });
for (const line of table) console.log(line);

const tallyFile = process.env.SETKEEPER_TALLY;
const tally: Tally = { passed, failed: failures.length, skipped: [], failures, figures: table };
if (tallyFile === undefined) console.log(`${passed} passed, ${failures.length} failed`);
else writeFileSync(tallyFile, JSON.stringify(tally));
process.exit(failures.length === 0 ? 0 : 1);
