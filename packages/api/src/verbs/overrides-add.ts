import { Override, OverrideInput } from '../schema/safety.ts';
import { mutation } from '../verb.ts';

/** A temporary add or exclude on a group; beats every source. */
export const overridesAdd = mutation('overrides.add', 'operator', OverrideInput, Override);
