import { MANAGED_TYPES, type ManagedType } from '@setkeeper/ipset';
import type { Launcher } from '../launcher/launcher-client.ts';
import { readCapabilities } from './capabilities.ts';
import { IPSET_ENVIRONMENT } from './ipset-environment.ts';
import { type NamespaceName, readNamespace } from './namespace-name.ts';
import { moduleOf, probeTypes, type TypeSupport } from './type-support.ts';

/** What the agent stands on, found out once at its start. */
export interface Preflight {
  /** Absolute path; null: no ipset that only root can replace. */
  readonly ipsetPath: string | null;
  /** As `ipset --version` says, such as `7.17`; null where it cannot be run. */
  readonly version: string | null;
  /** The protocol of the userspace. */
  readonly protocol: number | null;
  /** Null: without it every batch has a process of its own. */
  readonly stdbufPath: string | null;
  readonly namespace: NamespaceName;
  readonly types: readonly TypeSupport[];
  /** Of the launcher's children. */
  readonly capabilities: { readonly netAdmin: boolean; readonly netRaw: boolean };
  /** What ipset says beside its version, such as a protocol warning. */
  readonly warnings: readonly string[];
  /** What keeps the agent from programming, a sentence each; empty: nothing. */
  readonly obstacles: readonly PreflightObstacle[];
}

export interface PreflightObstacle {
  readonly code: 'no-ipset' | 'no-permission' | 'type-unsupported';
  readonly message: string;
  readonly remedy: string;
}

export interface PreflightOptions {
  readonly launcher: Launcher;
  /** `ipset.path`: a name, or an absolute path. */
  readonly ipset: string;
  /** Given (in manage mode, with the writer lock held): types are proved by creating and destroying such a set of ours. */
  readonly probeName: string | null;
  readonly timeoutSeconds: number;
}

/** Looks at ipset, the kernel's types, the namespace and the permissions. Some ten milliseconds; never throws for what it finds. */
export async function preflight({ launcher, ipset, probeName, timeoutSeconds }: PreflightOptions): Promise<Preflight> {
  const [ipsetPath, stdbufPath, namespace, capabilities] = await Promise.all([
    launcher.which(ipset),
    launcher.which('stdbuf'),
    readNamespace(launcher),
    readCapabilities(launcher),
  ]);
  if (ipsetPath === null) {
    const nothing = { version: null, protocol: null, types: [], warnings: [] };
    return { ipsetPath, stdbufPath, namespace, capabilities, ...nothing, obstacles: [noIpset(ipset)] };
  }
  const said = await launcher.run({ file: ipsetPath, args: ['--version'], env: IPSET_ENVIRONMENT, timeoutSeconds });
  const text = Buffer.from(said.stdout).toString('utf8');
  const [, version = null, protocol = null] = VERSION.exec(text) ?? [];
  const types = await probeTypes({ launcher, ipsetPath, probeName, timeoutSeconds });
  const obstacles: PreflightObstacle[] = [];
  if (version === null) obstacles.push(brokenIpset(ipsetPath, said.spawnError ?? `${text}${said.stderr}`.trim()));
  if (!capabilities.netAdmin) obstacles.push(NO_PERMISSION);
  obstacles.push(...types.filter(({ support }) => support === 'no').map(unsupported));
  return {
    ipsetPath,
    version,
    protocol: protocol === null ? null : Number(protocol),
    stdbufPath,
    namespace,
    capabilities,
    types,
    warnings: said.stderr.split('\n').filter((line) => line.trim() !== ''),
    obstacles,
  };
}

/** `ipset v7.17, protocol version: 7` */
const VERSION = /ipset v([0-9][^\s,]*), protocol version: ([0-9]+)/;

const noIpset = (ipset: string): PreflightObstacle => ({
  code: 'no-ipset',
  message: `There is no ${ipset} that only root can replace (looked in the system's folders)`,
  remedy: 'Install the package ipset, or set ipset.path to its absolute path',
});

const brokenIpset = (path: string, words: string): PreflightObstacle => ({
  code: 'no-ipset',
  message: `${path} does not say its version: ${words}`,
  remedy: 'Install the package ipset again',
});

const NO_PERMISSION: PreflightObstacle = {
  code: 'no-permission',
  message: 'The agent may not change ipsets: CAP_NET_ADMIN is missing',
  remedy: 'Start it as root, or with AmbientCapabilities=CAP_NET_ADMIN',
};

const unsupported = ({ type, message }: TypeSupport): PreflightObstacle => ({
  code: 'type-unsupported',
  message: `This kernel does not offer sets of type ${type}: ${message}`,
  remedy: `Load the module ${moduleOf(type)}, or boot a kernel that has it`,
});

/** The type names that a probe found to work, in the order of `MANAGED_TYPES`. */
export const supportedTypes = (types: readonly TypeSupport[]): readonly ManagedType[] =>
  MANAGED_TYPES.filter((type) => types.some((found) => found.type === type && found.support === 'yes'));
