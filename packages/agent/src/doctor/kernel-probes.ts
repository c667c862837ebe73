import type { Preflight } from '../kernel/preflight.ts';
import { bad, good, type Probe } from './doctor.ts';

/** Mistakes below the agent: tools, permission, types, namespace. `look`: a fresh preflight that writes nothing. */
export function kernelProbes(
  look: () => Promise<Preflight>,
  known: Preflight,
  mode: 'manage' | 'observe',
): readonly Probe[] {
  let running: Promise<Preflight> | null = null;
  const fresh = (): Promise<Preflight> => {
    running ??= look();
    return running;
  };
  return [
    {
      check: 'ipset',
      look: async () => {
        const { ipsetPath, version, protocol, obstacles, warnings } = await fresh();
        const broken = obstacles.find(({ code }) => code === 'no-ipset');
        if (broken !== undefined) return bad(`${broken.message}.`, `${broken.remedy}.`);
        if (warnings.length > 0)
          return bad(`${ipsetPath} warns: ${warnings[0]}`, 'Install the ipset that belongs to this kernel.');
        return good(`${ipsetPath}, version ${version}, protocol ${protocol}`);
      },
    },
    {
      check: 'permission',
      look: async () => {
        const { capabilities } = await fresh();
        if (capabilities.netAdmin) return good('The agent may change ipsets (CAP_NET_ADMIN).');
        return bad(
          'CAP_NET_ADMIN is missing: sets can be neither read nor changed.',
          'Start the agent as root, or with AmbientCapabilities=CAP_NET_ADMIN.',
        );
      },
    },
    {
      check: 'set types',
      look: () => {
        // Only creating a set proves a type, so this is what the start found; doctor writes nothing.
        const missing = known.types.filter(({ support }) => support === 'no');
        const [first] = missing;
        if (first === undefined) return good(known.types.map(({ type }) => type).join(' '));
        const names = missing.map(({ type }) => type).join(', ');
        return bad(
          `The kernel does not offer ${names}: ${first.message}`,
          'Load the modules (modprobe ip_set_hash_ip ip_set_hash_net ip_set_hash_ipport ip_set_list_set), then start the agent again.',
        );
      },
    },
    {
      check: 'network namespace',
      look: async () => {
        const { namespace } = await fresh();
        if (namespace.name === 'host') return good("The host's own.");
        if (namespace.name === 'unknown')
          return bad('It cannot be told which namespace this is.', 'Install util-linux and coreutils.');
        return good(`${namespace.name}: only rules of this namespace see its sets.`);
      },
    },
    {
      check: 'stdbuf',
      look: async () => {
        if (mode === 'observe') return null;
        const { stdbufPath } = await fresh();
        if (stdbufPath !== null) return good(stdbufPath);
        return bad('stdbuf is missing: every change starts a process of its own.', 'Install the package coreutils.');
      },
    },
  ];
}
