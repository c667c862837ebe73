import type { AgentConfig } from '../config/agent-config.ts';
import type { Merge } from '../sources/merge.ts';
import { bad, type Finding, good, type Probe } from './doctor.ts';

export interface ModelProbeParts {
  readonly config: AgentConfig;
  readonly host: string;
  readonly merge: Merge;
  /** References documents that name this host, and all of them. */
  readonly references: () => { readonly here: number; readonly all: number };
}

/** Mistakes between the model and this host. */
export function modelProbes({ config, host, merge, references }: ModelProbeParts): readonly Probe[] {
  if (config.mode === 'observe') return [];
  return [
    { check: 'sources', look: () => lookAtSources(merge) },
    { check: 'model', look: () => lookAtFaults(merge) },
    { check: 'host name', look: () => lookAtHost(host, merge, references()) },
  ];
}

function lookAtSources(merge: Merge): Finding {
  const sources = merge.sources();
  if (sources.length === 0)
    return bad('No source is configured: nothing is ever programmed.', 'Name one under `sources:`.');
  const gone = sources.find(({ state }) => state !== 'current');
  if (gone !== undefined)
    return bad(
      `${gone.name} is ${gone.state}${gone.detail === null ? '' : `: ${gone.detail}`}.`,
      'Check its path or address, and that the agent may read it.',
    );
  if (sources.every(({ objects }) => objects === 0))
    return bad('Every source is empty: the model asks for no set.', 'Put model documents into a source.');
  return good(sources.map(({ name, objects }) => `${name}: ${objects} objects`).join(', '));
}

function lookAtFaults(merge: Merge): Finding {
  const faults = merge.sources().flatMap((source) => source.faults.filter(({ severity }) => severity !== 'warning'));
  const [first] = faults;
  if (first === undefined) return good('Every document is right.');
  const more = faults.length === 1 ? '' : `, and ${faults.length - 1} more`;
  return bad(
    `${first.file}:${first.line}: ${first.path} ${first.reason}${more}.`,
    'Mend the documents; `setkeeper validate PATH` shows all faults.',
  );
}

function lookAtHost(host: string, merge: Merge, references: { readonly here: number; readonly all: number }): Finding {
  if (references.all > 0 && references.here === 0)
    return bad(
      `None of ${references.all} references documents is for a host named ${host}: nothing is programmed.`,
      'Set `host:` in agent.yaml to the name that the documents use.',
    );
  const hosts = [...merge.records('host')].map(({ object }) => object.id);
  if (hosts.length > 0 && !hosts.includes(host))
    return bad(
      `The model has ${hosts.length} hosts, and none is named ${host}.`,
      'Set `host:` in agent.yaml to the name in the model, or add this host to the model.',
    );
  return good(host);
}
