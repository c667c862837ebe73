import { type GroupId, parseGroupId } from '@setkeeper/ipset';
import type { DocumentNode } from '../document-node.ts';
import { readText } from '../fields.ts';
import type { ObjectDraft } from '../object-draft.ts';
import { visibleText } from '../visible-text.ts';

/** Group ids, each once, in order; `refuse` says why one has no place here. */
export function readGroups(
  items: readonly DocumentNode[],
  draft: ObjectDraft,
  sub: string,
  refuse: (kind: string) => string | undefined = () => undefined,
): readonly GroupId[] {
  const groups = new Set<GroupId>();
  for (const [index, item] of items.entries()) {
    const place = `${sub}[${index}]`;
    const text = readText(item, draft, place);
    if (text === null) continue;
    const parsed = parseGroupId(text);
    const reason = parsed.ok ? refuse(parsed.kind) : parsed.reason;
    if (parsed.ok && reason === undefined) groups.add(parsed.id);
    else draft.error(item.at, place, `"${visibleText(text, 60)}": ${reason}`);
  }
  return [...groups].sort();
}
