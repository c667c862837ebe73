import { describe, expect, it } from 'vitest';
import type { Plan, PlanSelection } from '../../client/api-types.ts';
import { readPlan } from './read-plan.ts';

const plan: Plan = { digest: 'd', lines: 0, script: '', scriptTruncated: false, sets: [], modelRevision: 1, at: '' };

function agentThatKnows(...known: string[]) {
  return async (selection: PlanSelection) => {
    const unknown = selection.groups?.find((group) => !known.includes(group));
    if (unknown === undefined) return plan;
    throw Object.assign(new Error('gone'), { data: { code: 'not-found', message: 'gone', subject: unknown } });
  };
}

describe('readPlan', () => {
  it('plans what is still there, and names what is gone', async () => {
    const read = await readPlan({ groups: ['tag:a', 'tag:b', 'tag:c'], reprogram: true }, agentThatKnows('tag:b'));
    expect(read.gone).toEqual(['tag:a', 'tag:c']);
    expect(read.selection).toEqual({ groups: ['tag:b'], reprogram: true });
  });

  it('never turns a choice that is gone into "all"', async () => {
    await expect(readPlan({ groups: ['tag:a', 'tag:b'] }, agentThatKnows())).rejects.toThrow('gone');
  });

  it('passes every other refusal on', async () => {
    const refuse = async () =>
      Promise.reject(Object.assign(new Error('no'), { data: { code: 'not-ready', message: 'no' } }));
    await expect(readPlan({ groups: ['tag:a', 'tag:b'] }, refuse)).rejects.toThrow('no');
  });
});
