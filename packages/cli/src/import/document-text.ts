import { harmless } from '../output/harmless.ts';
import { type ImportedEntry, type ImportedModel, portName } from './imported-model.ts';

/**
 * An imported model as one YAML document. Every text from the file is a double-quoted scalar, which YAML reads as JSON
 * does, or a comment of one harmless line: nothing in a save file can become structure.
 */
export function documentText(model: ImportedModel, prefixOfComments = 'ipset save'): string {
  const lines: string[] = [`# Made from ${prefixOfComments}. Read what setkeeper import reported before you use it.`];
  const quoted = (text: string): string => JSON.stringify(text);
  const remark = (comment: string | null): string => (comment === null ? '' : ` # ${harmless(comment)}`);
  const block = (key: string, entries: readonly ImportedEntry[]): void => {
    if (entries.length === 0) return;
    lines.push(`    ${key}:`);
    for (const { text, comment } of entries) lines.push(`      - ${quoted(text)}${remark(comment)}`);
  };

  if (model.endpoints.length > 0) {
    lines.push('profiles:');
    for (const profile of new Set(model.endpoints.map((endpoint) => endpoint.profile)))
      lines.push(`  ${quoted(profile)}: { tags: [${quoted(profile)}] }`);
    lines.push('endpoints:');
    for (const { id, profile, family, address, port, comment } of model.endpoints) {
      const key = family === 'inet' ? 'ipv4' : 'ipv6';
      lines.push(
        `  ${quoted(id)}: { profiles: [${quoted(profile)}], ${key}: [${quoted(address)}], ports: { ${portName}: ${quoted(port)} } }${remark(comment)}`,
      );
    }
  }
  if (model.networks.size > 0) lines.push('networks:');
  for (const [id, network] of model.networks) {
    if (network.nets.length + network.except.length === 0) lines.push(`  ${quoted(id)}: { nets: [] }`);
    else {
      lines.push(`  ${quoted(id)}:`);
      if (network.nets.length === 0) lines.push('    nets: []');
      block('nets', network.nets);
      block('except', network.except);
    }
  }
  if (model.lists.size > 0) lines.push('lists:');
  for (const [id, members] of model.lists) {
    if (members.every(({ comment }) => comment === null)) {
      lines.push(`  ${quoted(id)}: { members: [${members.map(({ text }) => quoted(text)).join(', ')}] }`);
    } else {
      lines.push(`  ${quoted(id)}:`);
      block('members', members);
    }
  }
  return `${lines.join('\n')}\n`;
}
