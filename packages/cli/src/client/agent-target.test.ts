import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { agentTarget, trpcAddress } from './agent-target.ts';

const folder = mkdtempSync(join(tmpdir(), 'setkeeper-token-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const tokenFile = join(folder, 'token');
writeFileSync(tokenFile, 'skt_0123456789abcdef\n');

describe('where to ask', () => {
  it('is --socket, else SETKEEPER_SOCKET, else the default', () => {
    const env = { SETKEEPER_SOCKET: '/b' };
    expect(agentTarget({ socket: '/a' }, env)).toEqual({ via: 'socket', path: '/a' });
    expect(agentTarget({}, env)).toEqual({ via: 'socket', path: '/b' });
    expect(agentTarget({}, {})).toEqual({ via: 'socket', path: '/run/setkeeper/admin.sock' });
  });

  it('is a gateway with --url, and the socket of the environment is forgotten', () => {
    const target = agentTarget(
      { url: 'https://sets.example.org/', tokenFile, agent: 'node b' },
      { SETKEEPER_SOCKET: '/b' },
    );
    expect(target).toEqual({
      via: 'gateway',
      url: 'https://sets.example.org',
      token: 'skt_0123456789abcdef',
      agent: 'node b',
    });
    expect(trpcAddress(target)).toBe('https://sets.example.org/api/hosts/node%20b/trpc');
  });

  it.each([
    [{ socket: '/a', url: 'http://x' }],
    [{ tokenFile: '/t' }],
    [{ agent: 'a' }],
    [{ url: 'nonsense' }],
    [{ url: 'file:///etc/passwd' }],
    [{ url: 'http://x', tokenFile: '/nonexistent' }],
  ])('is not said by %j', (options) =>
    expect(() => agentTarget(options, {})).toThrow(expect.objectContaining({ exitCode: 2 })),
  );
});
