import { describe, expect, it } from 'vitest';
import { parseSession } from './gateway-session.ts';

describe('parseSession', () => {
  it('asks nobody to log in where there are no logins', () => {
    const session = parseSession(
      {
        loginsEnabled: false,
        user: { id: 'local', name: 'local', role: 'operator' },
        role: 'operator',
        session: null,
        agents: ['node-a'],
      },
      0,
    );
    expect(session).toMatchObject({
      hasLogins: false,
      isLoginNeeded: false,
      name: 'local',
      role: 'operator',
      endsAtMs: null,
      hosts: ['node-a'],
    });
  });

  it('needs a login while nobody is signed in, and the first admin while there is no user', () => {
    expect(parseSession({ loginsEnabled: true, needsFirstAdmin: true, user: null }, 0)).toMatchObject({
      isLoginNeeded: true,
      isFirstAdminNeeded: true,
    });
  });

  it("counts the session's end on this browser's clock, by the gateway's", () => {
    const times = {
      now: '2026-01-01T00:00:00Z',
      startedAt: '2026-01-01T00:00:00Z',
      idleEndsAt: '2026-01-01T00:30:00Z',
      absoluteEndsAt: '2026-01-01T12:00:00Z',
    };
    expect(parseSession({ loginsEnabled: true, user: { name: 'maria' }, session: times }, 5_000).endsAtMs).toBe(
      5_000 + 1_800_000,
    );
  });
});
