import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort, modelDirectory, requireBuilt } from './preflight.ts';

describe('before a start', () => {
  it('says in a sentence that a port is taken, and finds a free one when asked to', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(freePort(port)).rejects.toMatchObject({
      message: `Port ${port} of 127.0.0.1 is taken by another program.`,
      remedy: expect.stringContaining('--port'),
    });
    expect(await freePort(0)).toBeGreaterThan(0);
    server.close();
  });

  it("takes the model directory relative to the caller's folder, and only a directory", () => {
    const folder = mkdtempSync(join(tmpdir(), 'setkeeper-model-'));
    expect(modelDirectory('/srv/setkeeper', relative(process.cwd(), folder))).toBe(folder);
    rmSync(folder, { recursive: true });
    expect(() => modelDirectory('/srv/setkeeper', folder)).toThrow('is not a directory');
    expect(() => modelDirectory('/srv/setkeeper', undefined)).toThrow('/srv/setkeeper/examples/model');
  });

  it('names what has not been built', () => {
    expect(() => requireBuilt('/nonexistent')).toThrow('packages/agent/dist/agent.js');
  });
});
