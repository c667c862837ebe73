import { type EndpointJson, endpointJson, endpointOf } from './kinds/endpoint.ts';
import { type HostJson, hostJson, hostOf } from './kinds/host.ts';
import { type ListJson, listJson, listOf } from './kinds/list.ts';
import { type NetworkJson, networkJson, networkOf } from './kinds/network.ts';
import { type ProfileJson, profileJson, profileOf } from './kinds/profile.ts';
import { type ReferencesJson, referencesJson, referencesOf } from './kinds/references.ts';
import type { ModelObject, ObjectKey, ObjectKind } from './objects.ts';

/**
 * The one text of an object: its document form as JSON, canonical members, everything in order. Two objects are equal
 * exactly if their texts are, and `objectOfText` gives the object back. It is what the store and memory keep.
 */
export const objectText = (object: ModelObject): string => JSON.stringify(objectJson(object));

/** The document form of an object. */
export function objectJson(
  object: ModelObject,
): ProfileJson | EndpointJson | NetworkJson | ListJson | HostJson | ReferencesJson {
  switch (object.kind) {
    case 'profile':
      return profileJson(object);
    case 'endpoint':
      return endpointJson(object);
    case 'network':
      return networkJson(object);
    case 'list':
      return listJson(object);
    case 'host':
      return hostJson(object);
    case 'references':
      return referencesJson(object);
  }
}

/** The object of a text that `objectText` made. Not for text from outside: nothing is checked. */
export function objectOfText(key: ObjectKey, text: string): ModelObject {
  const { kind, id } = keyParts(key);
  const json: unknown = JSON.parse(text);
  switch (kind) {
    case 'profile':
      return profileOf(id, json as ProfileJson);
    case 'endpoint':
      return endpointOf(id, json as EndpointJson);
    case 'network':
      return networkOf(id, json as NetworkJson);
    case 'list':
      return listOf(id, json as ListJson);
    case 'host':
      return hostOf(id, json as HostJson);
    case 'references':
      return referencesOf(id, json as ReferencesJson);
  }
}

/** The kind and id of a key; the id may hold slashes. */
export function keyParts(key: ObjectKey): { readonly kind: ObjectKind; readonly id: string } {
  const slash = key.indexOf('/');
  return { kind: key.slice(0, slash) as ObjectKind, id: key.slice(slash + 1) };
}
