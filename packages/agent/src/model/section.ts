import type { ObjectKind } from './objects.ts';

/** The keys at the top of a document, in the order in which a model is written and exported. */
export const SECTIONS = {
  profiles: 'profile',
  endpoints: 'endpoint',
  networks: 'network',
  lists: 'list',
  hosts: 'host',
  references: 'references',
} as const satisfies Record<string, ObjectKind>;

export type Section = keyof typeof SECTIONS;

/** The kind of object that a section holds; undefined for a word that is no section. */
export const kindOfSection = (word: string): ObjectKind | undefined =>
  Object.hasOwn(SECTIONS, word) ? SECTIONS[word as Section] : undefined;

/** The section that objects of a kind are written in. */
export function sectionOf(kind: ObjectKind): Section {
  switch (kind) {
    case 'profile':
      return 'profiles';
    case 'endpoint':
      return 'endpoints';
    case 'network':
      return 'networks';
    case 'list':
      return 'lists';
    case 'host':
      return 'hosts';
    case 'references':
      return 'references';
  }
}
