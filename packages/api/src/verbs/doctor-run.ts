import { z } from 'zod';
import { DoctorCheck } from '../schema/event.ts';
import { query } from '../verb.ts';

/** The most likely installation mistakes, each checked now. */
export const doctorRun = query('doctor.run', 'viewer', z.void(), z.array(DoctorCheck));
