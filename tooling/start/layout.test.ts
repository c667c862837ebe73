import { describe, expect, it } from 'vitest';
import { layoutOf } from './layout.ts';

describe('layoutOf', () => {
  it('gives one checkout the same places every time, and two checkouts different ones', () => {
    expect(layoutOf('/srv/a')).toEqual(layoutOf('/srv/a'));
    expect(layoutOf('/srv/a').namespace).not.toBe(layoutOf('/srv/b').namespace);
    expect(layoutOf('/srv/a').namespace).toMatch(/^setkeeper-[0-9a-f]{6}$/);
  });

  it('keeps socket paths short wherever the checkout is', () => {
    const { agentSocket, adminSocket } = layoutOf(`/srv/${'deep/'.repeat(100)}`);
    for (const path of [agentSocket, adminSocket]) expect(Buffer.byteLength(path)).toBeLessThan(60);
  });

  it('gives the gateway a user of the range for dynamic users', () => {
    for (const root of ['/a', '/b', '/c', '/d', '/e']) {
      const { gatewayUser } = layoutOf(root);
      expect(gatewayUser).toBeGreaterThanOrEqual(61_184);
      expect(gatewayUser).toBeLessThanOrEqual(65_519);
    }
  });
});
