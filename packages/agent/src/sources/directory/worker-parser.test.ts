import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@setkeeper/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../node-clock.ts';
import { createWorkerParser } from './worker-parser.ts';

const program = new URL('../../entry/model-worker.ts', import.meta.url);

describe('the parser thread', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'setkeeper-parser-')));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);

  it('reads files of many objects in pieces, and faults as they are', async () => {
    const ids = Array.from({ length: 5_000 }, (_, i) => `"p${i}":{"tags":["t"]}`).join(',');
    write('a.json', `{"profiles":{${ids}}}`);
    write('b.yaml', 'profiles: [');
    const parser = createWorkerParser({ program, clock: nodeClock });
    const [a, b, c] = await Promise.all([
      parser.parse(root, 'a.json', 1),
      parser.parse(root, 'b.yaml', 1),
      parser.parse(root, 'c.yaml', 1),
    ]);
    expect(a).toMatchObject({ extent: 'whole', faults: [] });
    expect(a?.objects).toHaveLength(5_000);
    expect(b).toMatchObject({ extent: 'none', faults: [{ file: 'b.yaml' }] });
    expect(c).toMatchObject({ extent: 'none', faults: [{ file: 'c.yaml', reason: 'is not there' }] });
    await parser.close();
  });

  it('gives up a file that takes too long, and reads the next one', async () => {
    write('slow.yaml', `profiles:\n${Array.from({ length: 60_000 }, (_, i) => `  p${i}: { tags: [x] }\n`).join('')}`);
    write('b.yaml', 'profiles: { p: { tags: [] } }');
    const clock = createFakeClock();
    const parser = createWorkerParser({ program, clock, baseMs: 1_000, msPerMiB: 0 });
    const slow = parser.parse(root, 'slow.yaml', 0);
    while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_001);
    expect(await slow).toMatchObject({ extent: 'none', faults: [{ reason: /takes longer than 1 s/ }] });
    expect(await parser.parse(root, 'b.yaml', 1)).toMatchObject({ extent: 'whole', objects: [{ key: 'profile/p' }] });
    await parser.close();
  });

  it('gives up a file that takes too much memory, and reads the next one', async () => {
    write('large.yaml', `profiles:\n${Array.from({ length: 200_000 }, (_, i) => `  p${i}: { tags: [x] }\n`).join('')}`);
    write('b.yaml', 'profiles: { p: { tags: [] } }');
    const parser = createWorkerParser({ program, clock: nodeClock, heapMiBMax: 48 });
    expect(await parser.parse(root, 'large.yaml', 1)).toMatchObject({ faults: [{ reason: /too much memory/ }] });
    expect(await parser.parse(root, 'b.yaml', 1)).toMatchObject({ extent: 'whole' });
    await parser.close();
  });
});
