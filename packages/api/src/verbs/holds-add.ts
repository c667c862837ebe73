import { z } from 'zod';
import { Hold, HoldInput } from '../schema/safety.ts';
import { mutation } from '../verb.ts';

/** Stops programming and repair for groups, or all; read-back goes on. */
export const holdsAdd = mutation('holds.add', 'operator', HoldInput, z.array(Hold));
