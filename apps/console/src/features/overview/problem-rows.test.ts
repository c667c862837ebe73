import { expect, it } from 'vitest';
import type { Problem } from '../../client/api-types.ts';
import { worstFirst } from './problem-rows.tsx';

const problem = (
  code: Problem['code'],
  severity: Problem['severity'],
  since: string,
  consequence?: string,
): Problem => ({
  code,
  severity,
  subject: 'tag:web',
  message: '',
  remedy: '',
  since,
  ...(consequence === undefined ? {} : { consequence }),
});

it('puts what is critical first, then what says what is not enforced, then what is older', () => {
  const problems = [
    problem('capacity-95', 'warning', '2026-06-01T01:00:00Z'),
    problem('change-held', 'warning', '2026-06-01T03:00:00Z', 'No removal is in.'),
    problem('drift', 'warning', '2026-06-01T02:00:00Z', 'It differs.'),
    problem('header-conflict', 'critical', '2026-06-01T04:00:00Z'),
  ];
  expect(worstFirst(problems).map(({ code }) => code)).toEqual([
    'header-conflict',
    'drift',
    'change-held',
    'capacity-95',
  ]);
});
