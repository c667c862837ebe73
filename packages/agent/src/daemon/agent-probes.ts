import type { Probe } from '../doctor/doctor.ts';
import { fileProbes } from '../doctor/file-probes.ts';
import { gatewayProbe } from '../doctor/gateway-probe.ts';
import { hostProbes } from '../doctor/host-probes.ts';
import { kernelProbes } from '../doctor/kernel-probes.ts';
import { modelProbes } from '../doctor/model-probes.ts';
import { unitProbes } from '../doctor/unit-probes.ts';
import { preflight } from '../kernel/preflight.ts';
import type { Launcher } from '../launcher/launcher-client.ts';
import { isForHost } from '../model/host-pattern.ts';
import type { Merge } from '../sources/merge.ts';
import type { AgentParts } from './agent-parts.ts';

/** Everything that `doctor` looks for, made anew for each question. */
export function agentProbes(parts: AgentParts): readonly Probe[] {
  const { config, host, kernel, model, holders, problems } = parts;
  const { merge } = model;
  // Nothing is written: what only creating a set proves was proved at the start.
  const look = () =>
    preflight({
      launcher: kernel.launcher,
      ipset: config.ipset.path,
      probeName: null,
      timeoutSeconds: config.ipset.timeoutSeconds,
    });
  return [
    ...kernelProbes(look, kernel.preflight, config.mode),
    ...modelProbes({ config, host, merge, references: () => referencesHere(merge, host) }),
    ...fileProbes(config),
    gatewayProbe(() => parts.statements.statements(), parts.clock),
    ...unitProbes({
      isService: parts.isService,
      mode: config.mode,
      enablement: (unit) => enablementOf(kernel.launcher, unit),
    }),
    ...hostProbes({
      readHolders: () => holders.read(),
      problems: () => problems.list(),
      prefix: config.sets.prefix,
    }),
  ];
}

function referencesHere(merge: Merge, host: string): { readonly here: number; readonly all: number } {
  const documents = [...merge.records('references')].flatMap(({ object }) =>
    object.kind === 'references' ? [object] : [],
  );
  return { here: documents.filter(({ hosts }) => isForHost(hosts, host)).length, all: documents.length };
}

/** By the files of the units alone (`--root`): the agent needs no bus, and no right, to ask. */
async function enablementOf(launcher: Launcher, unit: string): Promise<string | null> {
  const file = await launcher.which('systemctl');
  if (file === null) return null;
  const { stdout, spawnError } = await launcher.run({
    file,
    args: ['--root=/', 'is-enabled', unit],
    timeoutSeconds: 5,
  });
  if (spawnError !== undefined) return null;
  return Buffer.from(stdout).toString('latin1').trim();
}
