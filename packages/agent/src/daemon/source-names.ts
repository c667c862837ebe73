import { basename } from 'node:path';
import type { AgentConfig } from '../config/agent-config.ts';

/** The names of the configured sources, in order: `name`, else the directory's own name, `etcd` or `declared`; a second one of a name gets `-2`. */
export function sourceNames(sources: AgentConfig['sources']): readonly string[] {
  const taken = new Set<string>();
  return sources.map((source) => {
    const wanted = nameOf(source);
    let name = wanted;
    for (let number = 2; taken.has(name); number += 1) name = `${wanted}-${number}`;
    taken.add(name);
    return name;
  });
}

function nameOf(source: AgentConfig['sources'][number]): string {
  if ('directory' in source) return source.directory.name ?? (basename(source.directory.path) || 'directory');
  if ('etcd' in source) return source.etcd.name ?? 'etcd';
  return source.declared?.name ?? 'declared';
}
