import { canonicalMember, type Family, isNomatch, type Member, memberKey, sortMembers } from '@setkeeper/ipset';
import type { DocumentEntry, DocumentNode } from '../document-node.ts';
import { readFields, readItems, readNote, readText } from '../fields.ts';
import { readListFile } from '../list-file.ts';
import type { ObjectDraft } from '../object-draft.ts';
import type { Network } from '../objects.ts';
import { visibleText } from '../visible-text.ts';

/** The files of `files:`, by their path inside the model directory. */
export interface ListFiles {
  read(path: string): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };
}

/** The JSON form of a network: `nets` holds what its files said, too, so that it stands without them. */
export interface NetworkJson {
  readonly nets: readonly string[];
  readonly except?: readonly string[];
  readonly files?: readonly string[];
  readonly note?: string;
}

/** Reads `{ nets, except, files }`. `lists` is null where documents have no directory to name files of. */
export function readNetwork(id: string, node: DocumentNode, draft: ObjectDraft, lists: ListFiles | null): Network {
  const fields = readFields(node, ['nets', 'except', 'files', 'note'], draft);
  if (fields !== null && !fields.has('nets') && !fields.has('files')) {
    draft.error(node.at, '', 'a network needs nets or files');
  }
  const note = readNote(fields?.get('note'), draft);
  const nets = { inet: new Set<Member>(), inet6: new Set<Member>() };
  readNetworks(fields?.get('nets'), '.nets', draft, (family, member) => nets[family].add(member));
  const files = readFiles(fields?.get('files'), draft, lists, (family, member) => nets[family].add(member));
  const except = { inet: new Set<Member>(), inet6: new Set<Member>() };
  readNetworks(fields?.get('except'), '.except', draft, (family, member, at, place) => {
    if (nets[family].has(member)) draft.error(at, place, `${member} stands in nets and in except`);
    else except[family].add(`${member} nomatch` as Member);
  });
  return {
    kind: 'network',
    id,
    nets: { inet: sortMembers(nets.inet), inet6: sortMembers(nets.inet6) },
    except: { inet: sortMembers(except.inet), inet6: sortMembers(except.inet6) },
    files,
    ...(note === undefined ? {} : { note }),
  };
}

export function networkJson({ nets, except, files, note }: Network): NetworkJson {
  const exceptions = [...except.inet, ...except.inet6].map(memberKey);
  return {
    nets: [...nets.inet, ...nets.inet6],
    ...(exceptions.length === 0 ? {} : { except: exceptions }),
    ...(files.length === 0 ? {} : { files }),
    ...(note === undefined ? {} : { note }),
  };
}

export function networkOf(id: string, json: NetworkJson): Network {
  const except = (json.except ?? []).map((net) => `${net} nomatch`);
  return {
    kind: 'network',
    id,
    nets: byFamily(json.nets),
    except: byFamily(except),
    files: json.files ?? [],
    ...(json.note === undefined ? {} : { note: json.note }),
  };
}

type Take = (family: Family, member: Member, at: number, place: string) => void;

const familyOf = (text: string): Family => (text.includes(':') ? 'inet6' : 'inet');

function byFamily(nets: readonly string[]): Network['nets'] {
  const out: Record<Family, Member[]> = { inet: [], inet6: [] };
  for (const net of nets) out[familyOf(net)].push(net as Member);
  return out;
}

function readNetworks(entry: DocumentEntry | undefined, sub: string, draft: ObjectDraft, take: Take): void {
  for (const [index, item] of readItems(entry, draft, sub).entries()) {
    const place = `${sub}[${index}]`;
    const text = readText(item, draft, place);
    if (text === null) continue;
    const family = familyOf(text);
    const canonical = canonicalMember('hash:net', family, text);
    if (!canonical.ok) {
      draft.error(item.at, place, canonical.reason);
    } else if (isNomatch(canonical.member)) {
      draft.error(item.at, place, `"${visibleText(text, 60)}": exceptions stand under except`);
    } else {
      if (canonical.warning !== undefined) draft.warning(item.at, place, canonical.warning);
      take(family, canonical.member, item.at, place);
    }
  }
}

function readFiles(
  entry: DocumentEntry | undefined,
  draft: ObjectDraft,
  lists: ListFiles | null,
  take: (family: Family, member: Member) => void,
): readonly string[] {
  if (entry === undefined) return [];
  if (lists === null) {
    draft.error(entry.at, '.files', 'files are for documents of a model directory; write the networks under nets');
    return [];
  }
  const paths = new Set<string>();
  for (const [index, item] of readItems(entry, draft, '.files').entries()) {
    const place = `.files[${index}]`;
    const path = readText(item, draft, place);
    if (path === null) continue;
    const reason = pathFault(path);
    const content = reason === undefined ? lists.read(path) : { ok: false as const, reason };
    if (reason === undefined) paths.add(path);
    if (!content.ok) {
      draft.error(item.at, place, `"${visibleText(path, 120)}" ${content.reason}`);
      continue;
    }
    readListFile(content.text, {
      onMember: take,
      onFault: (line, why, severity) => draft.elsewhere(path, line, why, severity),
    });
  }
  return [...paths].sort();
}

/** What the text of a path already shows to lead out of the directory. */
function pathFault(path: string): string | undefined {
  if (path === '' || path.includes('\0')) return 'is no path';
  if (path.startsWith('/')) return 'is absolute; name a file inside the model directory';
  if (path.split('/').includes('..')) return 'leaves the model directory';
  return undefined;
}
