import { AssertionError } from 'node:assert';
import { type Member, renderAddress, renderElement, renderOperation } from '@setkeeper/ipset';
import type { Section } from '../plan/plan.ts';
import { operationOfSection } from '../plan/section-operations.ts';
import { type ScriptLine, targetOf } from './script-lines.ts';

/** A line as it is sent, without newline, or why it may not be: such an operation never reaches ipset. */
export type LineText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** Renders a line of a plan. What is not writable (a bug of the planner, or a name only the kernel can have told) is refused here. */
export function lineText(line: ScriptLine): LineText {
  try {
    return { ok: true, text: rendered(line) };
  } catch (error) {
    if (error instanceof AssertionError) return { ok: false, reason: error.message };
    throw error;
  }
}

/**
 * A member's words behind `add SET ` or `del SET `; null where `lineText` refuses its line. The set's name is not checked
 * again: it was when its create was rendered, without which no member is sent.
 */
export function elementText(section: Section, op: 'add' | 'del', member: Member): string | null {
  try {
    return element(section, op, member);
  } catch (error) {
    if (error instanceof AssertionError) return null;
    throw error;
  }
}

function rendered(line: ScriptLine): string {
  const operation = operationOfSection(line.section, line.offset);
  if (operation.op !== 'add' && operation.op !== 'del') return renderOperation(operation);
  return `${operation.op} ${targetOf(line.section, line.step)} ${element(line.section, operation.op, operation.member)}`;
}

function element({ header }: Section, op: 'add' | 'del', member: Member): string {
  return header?.type === 'list:set' ? renderElement(member, op) : renderAddress(member, op);
}
