import { AssertionError } from 'node:assert';
import { type Member, memberKey, readIpv4, renderElement, renderOperation } from '@setkeeper/ipset';
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

function rendered(line: ScriptLine): string {
  const operation = operationOfSection(line.section, line.offset);
  if (operation.op !== 'add' && operation.op !== 'del') return renderOperation(operation);
  if (line.section.header?.type !== 'list:set') refuseNames(operation.member);
  // What renderOperation would do, without an object more for each of a million members: the set's name was rendered,
  // and so checked, in its create.
  const set = targetOf(line.section, line.step);
  return operation.op === 'add'
    ? `add ${set} ${renderElement(operation.member)}`
    : `del ${set} ${renderElement(memberKey(operation.member) as Member)}`;
}

/** ipset looks up any word that is no address as a host name (KERNEL.md section 5): only lists have names as members. */
function refuseNames(member: string): void {
  for (let i = 0; i < member.length; i++) {
    const code = member.charCodeAt(i);
    if (code === COLON || code === SLASH || code === COMMA) return;
    if (code === SPACE) break;
  }
  const end = member.indexOf(' ');
  if (readIpv4(member, 0, end < 0 ? member.length : end) >= 0) return;
  throw new AssertionError({ message: `not an address: ${JSON.stringify(member)}` });
}

const SPACE = 32;
const COMMA = 44;
const SLASH = 47;
const COLON = 58;
