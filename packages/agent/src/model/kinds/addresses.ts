import { canonicalMember, type Family, type Member } from '@setkeeper/ipset';
import type { DocumentEntry } from '../document-node.ts';
import { readItems, readText } from '../fields.ts';
import type { ObjectDraft } from '../object-draft.ts';

/** A list of single addresses of one family, canonical, each once, in order of their text. */
export function readAddresses(entry: DocumentEntry | undefined, family: Family, draft: ObjectDraft): readonly Member[] {
  const sub = family === 'inet' ? '.ipv4' : '.ipv6';
  const members = new Set<Member>();
  for (const [index, item] of readItems(entry, draft, sub).entries()) {
    const place = `${sub}[${index}]`;
    const text = readText(item, draft, place);
    if (text === null) continue;
    const canonical = canonicalMember('hash:ip', family, text);
    if (canonical.ok) members.add(canonical.member);
    else draft.error(item.at, place, canonical.reason);
  }
  return [...members].sort();
}

/** One address of one family, or null where the field is absent or wrong. */
export function readAddress(entry: DocumentEntry | undefined, family: Family, draft: ObjectDraft): Member | null {
  if (entry === undefined) return null;
  const sub = family === 'inet' ? '.ipv4' : '.ipv6';
  const text = readText(entry.value, draft, sub);
  if (text === null) return null;
  const canonical = canonicalMember('hash:ip', family, text);
  if (canonical.ok) return canonical.member;
  draft.error(entry.value.at, sub, canonical.reason);
  return null;
}
