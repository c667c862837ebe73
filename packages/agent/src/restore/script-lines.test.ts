import { randomPlan } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { operationsOfSection } from '../plan/section-operations.ts';
import { commandOf, ScriptLines, targetOf } from './script-lines.ts';

describe('the lines of a plan', () => {
  it('say of every operation what it does and to which set', () => {
    for (let seed = 0; seed < 200; seed++) {
      const { sections } = randomPlan(seed);
      const script = new ScriptLines({ sections });
      const operations = sections.flatMap((section) => [...operationsOfSection(section)]);
      expect(script.total).toBe(operations.length);
      for (const [line, operation] of operations.entries()) {
        const { step, section } = script.at(line);
        expect(commandOf(step)).toBe(operation.op);
        expect(targetOf(section, step)).toBe(operation.op === 'swap' ? operation.to : operation.set);
      }
    }
  });

  it('are found in any order', () => {
    const { sections } = randomPlan(7);
    const script = new ScriptLines({ sections });
    const forwards = Array.from({ length: script.total }, (_, line) => script.at(line));
    const backwards = Array.from({ length: script.total }, (_, i) => script.at(script.total - 1 - i)).reverse();
    expect(backwards).toEqual(forwards);
    expect(() => script.at(script.total)).toThrow(RangeError);
  });
});
