import { expect, it } from 'vitest';
import { FloodModel, type FloodWay } from './flood-model.ts';

interface Endpoint {
  readonly profiles: readonly [string];
  readonly ipv4: readonly [string];
}

/** Sends batches in turn; gives every address that each endpoint had, oldest first. */
function flooded(model: FloodModel, batches: number): ReadonlyMap<string, readonly Endpoint[]> {
  const told = new Map<string, Endpoint[]>();
  const ways: readonly FloodWay[] = ['put', 'file'];
  for (let batch = 0; batch < batches; batch++)
    for (const way of ways)
      for (const [id, endpoint] of Object.entries(model.batch(way)))
        told.set(id, [...(told.get(id) ?? []), endpoint as Endpoint]);
  return told;
}

it('makes of every batch as many changes as were asked for, half of them by endpoints that come back', () => {
  const told = [...flooded(new FloodModel(10), 6).values()];
  const changes = told.flatMap((all) => all.slice(1).map(({ ipv4 }, i) => ipv4[0] !== all[i]?.ipv4[0]));
  expect(changes.every((isAnother) => isAnother)).toBe(true);
  expect(told.reduce((sum, all) => sum + all.length, 0)).toBe(2 * 6 * 10);
  const flapping = told.filter((all) => all.length === 6 && all[0]?.ipv4[0] === all[2]?.ipv4[0]);
  expect(flapping).toHaveLength(5 + 5);
});

it('knows what the sets hold in the end, and gives no address to two endpoints', () => {
  const model = new FloodModel(10);
  model.documents();
  const last = [...flooded(model, 25).values()].map((all) => all.at(-1));
  const lines = last.map((endpoint) => `add sk-v4-t.${endpoint?.profiles[0].slice(2)} ${endpoint?.ipv4[0]}`);
  expect(new Set(lines).size).toBe(lines.length);
  expect([...model.lines()].sort()).toEqual(lines.sort());
});
