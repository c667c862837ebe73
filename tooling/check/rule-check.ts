import type { Check } from './check.ts';
import type { HouseRule, Project } from './project.ts';

/** A check made by a house rule over the project's text: fine if it finds no fault. */
export function ruleCheck(rule: HouseRule, project: () => Project): Check {
  return {
    name: rule.name,
    run: async () => {
      const faults = rule.find(project());
      if (faults.length === 0) return { isFine: true, detail: '' };
      const lines = faults.map(
        ({ path, line, message }) => `${path}${line === undefined ? '' : `:${line}`} ${message}`,
      );
      return { isFine: false, detail: [...lines, rule.why].join('\n') };
    },
  };
}
