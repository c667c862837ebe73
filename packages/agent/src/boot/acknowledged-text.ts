import type { Member } from '@setkeeper/ipset';
import type { RenderOperation } from '../plan/rendering.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { headerOf } from '../sets/section-for.ts';

/** How a set is written down. */
export interface TextRules {
  readonly render: RenderOperation;
  /** Whether the set that an element of a list names is written down too; others are left out, since loading would stop at them. */
  readonly isLoadable: (element: Member) => boolean;
}

/** Characters of one piece, about. */
const PIECE_CHARACTERS = 65_536;

/**
 * A set as plain restore input, in pieces of whole lines: its create, then every element that the kernel acknowledged.
 * What somebody else put in is left out, and what somebody else took out is in. Nothing for a set whose content is not
 * known. O(elements), without a copy of them; the set must not change between two pieces.
 */
export function* acknowledgedText(set: ManagedSet, rules: TextRules): Generator<string, void, undefined> {
  if (set.ledger.content.kind !== 'known') return;
  const { render, isLoadable } = rules;
  let piece = `${render({ op: 'create', set: set.name, header: headerOf(set) })}\n`;
  for (const element of acknowledgedElements(set)) {
    if (set.family === null && !isLoadable(element)) continue;
    const line = render({ op: 'add', set: set.name, member: element });
    // What may not be written can only have been put in by somebody else.
    if (!line.startsWith('#')) piece += `${line}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* acknowledgedElements({ ledger, desired, drift }: ManagedSet): Generator<Member, void, undefined> {
  const { content } = ledger;
  if (content.kind !== 'known') return;
  for (const element of desired.elements()) {
    if (!content.missing.has(element) || drift?.missing.has(element) === true) yield element;
  }
  for (const element of content.extra) if (drift?.extra.has(element) !== true) yield element;
}
