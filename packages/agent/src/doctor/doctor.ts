import type { DoctorCheck } from '@setkeeper/api';
import type { z } from 'zod';

export type Check = z.infer<typeof DoctorCheck>;

/** One likely mistake of an installation, looked for now. Gives null where it does not apply. */
export interface Probe {
  /** Its name, for people and scripts: stable. */
  readonly check: string;
  readonly look: () => Promise<Finding | null> | Finding | null;
}

export interface Finding {
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

/** Looks for every mistake; one that cannot be looked for is itself a finding, and hides no other. */
export async function examine(probes: readonly Probe[]): Promise<Check[]> {
  const checks = await Promise.all(
    probes.map(async ({ check, look }): Promise<Check | null> => {
      try {
        const finding = await look();
        return finding === null ? null : { check, ...finding };
      } catch (error) {
        const detail = `Could not be checked: ${error instanceof Error ? error.message : error}`;
        return { check, ok: false, detail, remedy: "Look into the agent's log." };
      }
    }),
  );
  return checks.filter((check) => check !== null);
}

export const good = (detail: string): Finding => ({ ok: true, detail });
export const bad = (detail: string, remedy: string): Finding => ({ ok: false, detail, remedy });
