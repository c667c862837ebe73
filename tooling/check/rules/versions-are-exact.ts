import { parse } from 'yaml';
import type { Fault, HouseRule, Project } from '../project.ts';

const exact = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** One catalog of exact versions: what was tested is what is installed, and a version is changed in one place. */
export const versionsAreExact: HouseRule = {
  name: 'versions are exact',
  why: 'Every dependency comes from the catalog in pnpm-workspace.yaml, which holds exact versions (no ^, no ~, no tag).',
  find: (project) => [...catalogFaults(project), ...manifestFaults(project)],
};

function catalogFaults(project: Project): Fault[] {
  const path = 'pnpm-workspace.yaml';
  const workspace = parse(project.get(path) ?? '') as { catalog?: Record<string, unknown> } | null;
  return Object.entries(workspace?.catalog ?? {})
    .filter(([, version]) => !exact.test(String(version)))
    .map(([name, version]) => ({ path, message: `the catalog's ${name} is not exact: ${String(version)}` }));
}

function manifestFaults(project: Project): Fault[] {
  return [...project].flatMap(([path, text]) => {
    if (!/(^|\/)package\.json$/.test(path)) return [];
    const manifest = JSON.parse(text) as Record<string, Record<string, string> | undefined>;
    return sections.flatMap((section) =>
      Object.entries(manifest[section] ?? {})
        .filter(([name, version]) => version !== (name.startsWith('@setkeeper/') ? 'workspace:*' : 'catalog:'))
        .map(([name, version]) => ({ path, message: `${section}.${name} is "${version}", not from the catalog` })),
    );
  });
}
