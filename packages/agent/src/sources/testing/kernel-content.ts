import { expandMembers, FAMILIES, type GroupId, kernelName, parseGroupId } from '@setkeeper/ipset';
import type { TestNamespace } from '@setkeeper/testkit';
import type { AgentBench } from '../../daemon/testing/agent-process.ts';
import { NaiveMembership } from '../../membership/naive-membership.ts';
import { type ModelObject, objectKey } from '../../model/objects.ts';
import { parseDocuments } from '../../model/parse-documents.ts';
import { StoredRecord } from '../../model/stored-record.ts';

/** The objects of documents as JSON text. */
export function objectsOfText(text: string): readonly ModelObject[] {
  const { objects } = parseDocuments(text, { file: 'etcd', format: 'json', lists: null });
  return objects.map((each) => new StoredRecord(each.key, each.text ?? '', { source: 'etcd' }).object);
}

const PREFIX = 'sk-';

/** What the kernel should hold for a model, by the naive membership: set name to elements, `nomatch` with them. */
export function wantedContent(objects: Iterable<ModelObject>): Record<string, readonly string[]> {
  const naive = new NaiveMembership();
  naive.apply(
    [...objects].map((after) => ({ key: objectKey(after.kind, after.id), before: null, after, origin: null })),
  );
  const sets: Record<string, readonly string[]> = {};
  // A list needs the sets of its members, whether anybody defines them or not.
  const listed = [...naive.groups()].flatMap((group) => [...naive.members(group, null)] as string[] as GroupId[]);
  for (const group of new Set([...naive.groups(), ...listed])) {
    const parsed = parseGroupId(group);
    if (parsed.ok && parsed.kind === 'list') {
      const members = [...naive.members(group, null)] as string[] as GroupId[];
      const names = members.flatMap((member) => FAMILIES.map((family) => kernelName(PREFIX, member, family)));
      sets[kernelName(PREFIX, group, null)] = names.sort();
      continue;
    }
    for (const family of FAMILIES) {
      sets[kernelName(PREFIX, group, family)] = expandMembers(naive.members(group, family)).sort();
    }
  }
  return sets;
}

/** What the kernel holds, without the agent's own acknowledgement set. */
export async function heldContent(namespace: TestNamespace): Promise<Record<string, readonly string[]>> {
  const sets: Record<string, string[]> = {};
  for (const line of (await namespace.ipset(['save'])).split('\n')) {
    const [command, name = '', ...rest] = line.split(' ');
    if (command === 'create' && !/^sk-(?:ack|tmp)-/u.test(name)) sets[name] = [];
    if (command === 'add') sets[name]?.push(rest.join(' '));
  }
  for (const elements of Object.values(sets)) elements.sort();
  return sets;
}

/** Waits until the agent has taken the host of this name in, and has nothing left to do. */
export async function caughtUp(bench: AgentBench, host: string): Promise<void> {
  await bench.until<{ total: number }>('model.hosts', { filter: host }, ({ total }) => total > 0);
  await bench.settled();
}
