import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { untilAnswers } from './until-answers.ts';

describe('untilAnswers', () => {
  it('waits for a socket that comes later, and through answers that are failures', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'setkeeper-answers-'));
    const socketPath = join(folder, 's');
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.statusCode = asked < 3 ? 503 : 200;
      response.end();
    });
    const answered = untilAnswers({ socketPath, path: '/' }, 10_000, new AbortController().signal);
    server.listen(socketPath);
    await answered;
    expect(asked).toBe(3);
    server.close();
    await once(server, 'close');
    rmSync(folder, { recursive: true });
  });

  it('says what the last try said when time is over', async () => {
    const door = { socketPath: '/nonexistent/socket', path: '/' };
    await expect(untilAnswers(door, 0, new AbortController().signal)).rejects.toThrow('ENOENT');
  });

  it('stops at once with the reason of its signal', async () => {
    const door = { socketPath: '/nonexistent/socket', path: '/' };
    await expect(untilAnswers(door, 60_000, AbortSignal.abort(new Error('it ended')))).rejects.toThrow('it ended');
  });
});
