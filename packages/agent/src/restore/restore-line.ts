import { AssertionError } from 'node:assert';
import { renderOperation } from '@setkeeper/ipset';
import type { RenderOperation } from '../plan/rendering.ts';

/**
 * The rendering that this agent sends: a line of an `ipset restore` script. Plans get it as a parameter. What may not be
 * written, and is never sent, is shown as a comment with the reason.
 */
export const restoreLine: RenderOperation = (operation) => {
  try {
    return renderOperation(operation);
  } catch (error) {
    if (error instanceof AssertionError) return `# not sent: ${error.message}`;
    throw error;
  }
};
