import { api } from '../../client/api.ts';
import type { ObjectKind } from '../../client/api-types.ts';

/** An object of the declared source, by what names it. */
export interface DeclaredObject {
  readonly kind: ObjectKind;
  readonly id: string;
}

/** What the declared source says, all of it or one object, with the revision that a change of it must name. Never an answer from before. */
export const declaredOptions = (source: string, object?: DeclaredObject) =>
  api.model.export.queryOptions(
    { format: 'yaml', source, ...(object === undefined ? {} : { object }) },
    { staleTime: 0, gcTime: 0 },
  );
