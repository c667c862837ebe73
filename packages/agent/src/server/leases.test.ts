import { createFakeClock } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { Identity } from './identity-verifier.ts';
import { createLeases } from './leases.ts';

const bench = () => {
  const clock = createFakeClock();
  const identity = (more: Partial<Identity['claims']> = {}): Identity => {
    const now = clock.now() / 1000;
    const claims = {
      iss: 'g',
      aud: 'a',
      sub: 'u',
      name: 'maria',
      role: 'operator' as const,
      sid: 's',
      jti: '12345678',
      iat: now,
      exp: now + 30,
      ...more,
    };
    return { kid: 'k', claims, caller: { subject: claims.sub, name: claims.name, role: claims.role, via: 'gateway' } };
  };
  return { clock, identity, leases: createLeases(clock) };
};

describe('an event stream', () => {
  it('ends when its lease is not renewed', () => {
    const { clock, identity, leases } = bench();
    const { signal } = leases.open(identity({ lease: 60 }));
    clock.advance(59_000);
    expect(signal.aborted).toBe(false);
    clock.advance(1_000);
    expect(signal.aborted).toBe(true);
  });

  it('lives as long as it is renewed', () => {
    const { clock, identity, leases } = bench();
    const { signal } = leases.open(identity({ lease: 60 }));
    for (let minute = 0; minute < 10; minute += 1) {
      clock.advance(40_000);
      expect(leases.renew(identity({ lease: 60 })).streams).toBe(1);
    }
    expect(signal.aborted).toBe(false);
  });

  it('without a lease lives as long as its statement', () => {
    const { clock, identity, leases } = bench();
    const { signal } = leases.open(identity());
    clock.advance(30_000);
    expect(signal.aborted).toBe(true);
  });

  it('ends at once when its session is signed out, has another role or another user', () => {
    for (const change of [{ lease: 0 }, { lease: 60, role: 'viewer' as const }, { lease: 60, sub: 'other' }]) {
      const { identity, leases } = bench();
      const { signal } = leases.open(identity({ lease: 60 }));
      expect(leases.renew(identity(change)).streams).toBe(0);
      expect(signal.aborted).toBe(true);
    }
  });

  it('is not renewed by another session', () => {
    const { clock, identity, leases } = bench();
    const { signal } = leases.open(identity({ lease: 60 }));
    clock.advance(30_000);
    expect(leases.renew(identity({ lease: 60, sid: 'other' })).streams).toBe(0);
    clock.advance(30_000);
    expect(signal.aborted).toBe(true);
  });

  it('that was closed leaves nothing behind', () => {
    const { clock, identity, leases } = bench();
    for (let index = 0; index < 1_000; index += 1) leases.open(identity({ lease: 60 })).close();
    expect(clock.waiting).toBe(0);
  });

  it('is one of a bounded number a session', () => {
    const { identity, leases } = bench();
    for (let index = 0; index < 32; index += 1) leases.open(identity({ lease: 60 }));
    expect(() => leases.open(identity({ lease: 60 }))).toThrow(/Too many event streams/u);
  });
});
