import {
  classifyFailure,
  desiredHeader,
  isWritableSetName,
  MANAGED_TYPES,
  type ManagedType,
  type SetName,
} from '@setkeeper/ipset';
import type { Launcher } from '../launcher/launcher-client.ts';
import { probeScript } from '../restore/probe-script.ts';
import { IPSET_ENVIRONMENT } from './ipset-environment.ts';

/** Whether the kernel offers a type. `unknown`: nobody tried, because only creating a set proves it. */
export interface TypeSupport {
  readonly type: ManagedType;
  readonly support: 'yes' | 'no' | 'unknown';
  readonly message: string;
}

export interface TypeProbe {
  readonly launcher: Launcher;
  readonly ipsetPath: string;
  /** The name of a set of ours to create and destroy; null: nothing is written, and only the kernel's loaded modules are looked at. */
  readonly probeName: string | null;
  readonly timeoutSeconds: number;
}

/**
 * Which of the managed types the kernel offers. A kernel loads a type's module when a set of it is created, so the one
 * proof is to create one (KERNEL.md section 8: probe, never assume). One process a type, so that one failure hides no
 * other.
 */
export async function probeTypes(probe: TypeProbe): Promise<readonly TypeSupport[]> {
  const { probeName } = probe;
  if (probeName === null || !isWritableSetName(probeName)) return loadedTypes(probe);
  const found: TypeSupport[] = [];
  for (const type of MANAGED_TYPES) found.push(await probeType(probe, type, probeName as SetName));
  return found;
}

async function probeType(
  { launcher, ipsetPath, timeoutSeconds }: TypeProbe,
  type: ManagedType,
  name: SetName,
): Promise<TypeSupport> {
  const header = desiredHeader({ name, type, family: type === 'list:set' ? null : 'inet', maxelem: 64, members: 0 });
  const end = await launcher.run({
    file: ipsetPath,
    args: ['restore'],
    env: IPSET_ENVIRONMENT,
    isWriter: true,
    timeoutSeconds,
    input: probeScript(header),
  });
  if (end.exitCode === 0) return { type, support: 'yes', message: '' };
  const { code, message } = classifyFailure({ ...end, command: 'create' });
  return { type, support: code === 'type-unsupported' ? 'no' : 'unknown', message: end.spawnError ?? message };
}

/** Modules that are loaded say yes; others may be built in, or loaded on demand, so their absence says nothing. */
async function loadedTypes({ launcher }: TypeProbe): Promise<readonly TypeSupport[]> {
  const cat = await launcher.which('cat');
  const modules =
    cat === null
      ? ''
      : Buffer.from((await launcher.run({ file: cat, args: ['/proc/modules'], timeoutSeconds: 5 })).stdout).toString(
          'latin1',
        );
  return MANAGED_TYPES.map((type) => {
    const isLoaded = modules.includes(`${moduleOf(type)} `);
    return isLoaded
      ? { type, support: 'yes', message: '' }
      : { type, support: 'unknown', message: 'not tried: in observe mode nothing is written' };
  });
}

/** The kernel's module of a type: `ip_set_hash_ipport`. */
export const moduleOf = (type: ManagedType): string => `ip_set_${type.replace(':', '_').replace(',', '')}`;
