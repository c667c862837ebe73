import {
  FAMILIES,
  type GroupId,
  isWritableSetName,
  kernelName,
  ownershipOf,
  parseGroupId,
  type SetName,
} from '@setkeeper/ipset';
import type { AgentConfig } from '../config/agent-config.ts';

/** Sets of a save file that are of our own form, apart from temporary ones: what an agent keeps, or kept once. */
export function ownSets(names: Iterable<SetName>, { prefix, formerPrefixes }: AgentConfig['sets']): readonly SetName[] {
  return [...names].filter(
    (name) => isWritableSetName(name) && ownershipOf(name, { prefix, formerPrefixes }).ownership === 'managed-form',
  );
}

/** The group whose name a kernel name shows; null where the name is a digest, of which nobody can say what it was made of. */
export function shownGroup(prefix: string, name: SetName): GroupId | null {
  const [, kind, stem] = /^(v[46]-[tnh]\.|l\.)(.+)$/u.exec(name.slice(prefix.length)) ?? [];
  if (kind === undefined || stem === undefined) return null;
  const parsed = parseGroupId(`${WORDS[kind.at(-2) ?? ''] ?? ''}:${stem}`);
  if (!parsed.ok) return null;
  const names = parsed.kind === 'list' ? [null] : FAMILIES;
  return names.some((family) => kernelName(prefix, parsed.id, family) === name) ? parsed.id : null;
}

const WORDS: Readonly<Record<string, string>> = { t: 'tag', n: 'net', h: 'hosts', l: 'list' };
