import type { AgentEvent } from '@setkeeper/api';

/** The nouns of the API whose answers this console keeps. */
export type Noun =
  | 'status'
  | 'sets'
  | 'plan'
  | 'runs'
  | 'sources'
  | 'held'
  | 'holds'
  | 'overrides'
  | 'pins'
  | 'leftovers'
  | 'references'
  | 'leaks'
  | 'kernel'
  | 'explain'
  | 'model'
  | 'changes'
  | 'audit';

const everything: readonly Noun[] = [
  'status',
  'sets',
  'plan',
  'runs',
  'sources',
  'held',
  'holds',
  'overrides',
  'pins',
  'leftovers',
  'references',
  'leaks',
  'kernel',
  'explain',
  'model',
  'changes',
  'audit',
];

/** Which answers an event of the agent makes old. An unknown type (a newer agent) makes everything old. */
export function nounsOf(type: AgentEvent['type']): readonly Noun[] {
  switch (type) {
    case 'heartbeat':
    case 'run-progress':
      return [];
    case 'status-changed':
    case 'problem-raised':
    case 'problem-cleared':
      return ['status'];
    case 'sets-changed':
      return ['status', 'sets', 'plan', 'explain'];
    case 'run-started':
      return ['status', 'runs'];
    case 'run-finished':
      return ['status', 'sets', 'plan', 'runs', 'changes', 'leftovers', 'kernel', 'explain'];
    case 'source-changed':
      return ['status', 'sources', 'changes'];
    case 'model-changed':
      return ['status', 'model', 'sets', 'plan', 'changes', 'explain'];
    case 'drift-found':
    case 'drift-repaired':
      return ['status', 'sets', 'changes'];
    case 'held-changed':
      return ['status', 'held', 'sets', 'changes'];
    case 'holds-changed':
      return ['status', 'holds', 'sets', 'changes'];
    case 'overrides-changed':
      return ['status', 'overrides', 'sets', 'explain', 'changes'];
    case 'pins-changed':
      return ['pins', 'sets', 'references', 'changes'];
    case 'kernel-changed':
      return ['status', 'kernel', 'leftovers'];
    case 'references-changed':
      return ['status', 'references', 'leaks', 'sets'];
    case 'audit-appended':
      return ['audit'];
    default:
      return everything;
  }
}
