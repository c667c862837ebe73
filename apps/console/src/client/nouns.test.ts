import type { AgentEvent } from '@setkeeper/api';
import { describe, expect, it } from 'vitest';
import { nounsOf } from './nouns.ts';

describe('nounsOf', () => {
  it('makes everything old on reset, nothing on a heartbeat', () => {
    expect(nounsOf('reset').length).toBeGreaterThan(15);
    expect(nounsOf('heartbeat')).toEqual([]);
  });

  it('makes everything old on a type that a newer agent may send', () => {
    const newer = 'something-new' as AgentEvent['type'];
    expect(nounsOf(newer)).toEqual(nounsOf('reset'));
  });
});
