import type { Handlers } from '@setkeeper/api';
import { examine, type Probe } from '../../doctor/doctor.ts';

/** `probes` are made anew for each question, so that each looks at what is now. */
export function doctorHandlers(probes: () => readonly Probe[]): Pick<Handlers, 'doctor.run'> {
  return { 'doctor.run': () => examine(probes()) };
}
