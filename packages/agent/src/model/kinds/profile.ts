import type { DocumentNode } from '../document-node.ts';
import { readFields, readIds } from '../fields.ts';
import type { ObjectDraft } from '../object-draft.ts';
import type { Profile } from '../objects.ts';

/** The JSON form of a profile, as documents write it. */
export interface ProfileJson {
  readonly tags: readonly string[];
}

/** Reads `{ tags: [...] }`. */
export function readProfile(id: string, node: DocumentNode, draft: ObjectDraft): Profile {
  const fields = readFields(node, ['tags'], draft);
  return { kind: 'profile', id, tags: readIds(fields?.get('tags'), draft, '.tags') };
}

export const profileJson = (profile: Profile): ProfileJson => ({ tags: profile.tags });

export const profileOf = (id: string, json: ProfileJson): Profile => ({ kind: 'profile', id, tags: json.tags });
