import { describe, expect, it } from 'vitest';
import { apiAddress } from './api-address.ts';

describe('apiAddress', () => {
  it('is the first agent, or the one that the address names', () => {
    expect(apiAddress('')).toBe('/api/trpc');
    expect(apiAddress('?group=tag:web')).toBe('/api/trpc');
    expect(apiAddress('?host=rack1%2Fa')).toBe('/api/hosts/rack1%2Fa/trpc');
  });
});
