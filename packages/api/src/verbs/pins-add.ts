import { z } from 'zod';
import { Pin } from '../schema/safety.ts';
import { GroupText, Reason } from '../schema/scalars.ts';
import { mutation } from '../verb.ts';

/** An operator's reference on a group. */
export const pinsAdd = mutation('pins.add', 'operator', z.object({ group: GroupText, reason: Reason }), Pin);
