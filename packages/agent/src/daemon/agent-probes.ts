import type { Probe } from '../doctor/doctor.ts';
import { fileProbes } from '../doctor/file-probes.ts';
import { hostProbes } from '../doctor/host-probes.ts';
import { kernelProbes } from '../doctor/kernel-probes.ts';
import { modelProbes } from '../doctor/model-probes.ts';
import { preflight } from '../kernel/preflight.ts';
import { isForHost } from '../model/host-pattern.ts';
import type { Merge } from '../sources/merge.ts';
import type { AgentParts } from './agent-parts.ts';

/** Everything that `doctor` looks for, made anew for each question. */
export function agentProbes({ config, host, kernel, model, holders, problems }: AgentParts): readonly Probe[] {
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
