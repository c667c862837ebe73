import type { ObjectKey, Origin } from '../model/objects.ts';

/** What a membership is told besides the model. */
export interface MembershipOptions {
  /** The name of this host: references documents for other hosts name nothing here. Without it, all are for here. */
  readonly host?: string;
  /** Where an object was read, for the `file` of its owners. */
  readonly originOf?: (key: ObjectKey) => Origin | null;
}
