import type { DocumentNode } from './document-node.ts';
import { readEndpoint } from './kinds/endpoint.ts';
import { readHost } from './kinds/host.ts';
import { readList } from './kinds/list.ts';
import { type ListFiles, readNetwork } from './kinds/network.ts';
import { readProfile } from './kinds/profile.ts';
import { readReferences } from './kinds/references.ts';
import type { ObjectDraft } from './object-draft.ts';
import type { ModelObject, ObjectKind } from './objects.ts';

/** Reads one object of a kind. What is wrong is an error of the draft; the object is worth something only without. */
export function readObject(
  kind: ObjectKind,
  id: string,
  node: DocumentNode,
  draft: ObjectDraft,
  lists: ListFiles | null,
): ModelObject {
  switch (kind) {
    case 'profile':
      return readProfile(id, node, draft);
    case 'endpoint':
      return readEndpoint(id, node, draft);
    case 'network':
      return readNetwork(id, node, draft, lists);
    case 'list':
      return readList(id, node, draft);
    case 'host':
      return readHost(id, node, draft);
    case 'references':
      return readReferences(id, node, draft);
  }
}
