import type { Holder, Unreadable } from '@setkeeper/api';
import type { HolderQuestion } from './holder-question.ts';
import type { HolderTools } from './holder-tools.ts';
import type { KnownNames } from './known-names.ts';
import { parseTcDevices, parseTcFilters } from './tc-filters.ts';
import { toolFault } from './tool-fault.ts';

/** What the filters of traffic control say of sets. */
export interface TcReading {
  readonly holders: readonly (readonly [set: string, holder: Holder])[];
  readonly unreadable: readonly Unreadable[];
}

/** A process a device that can have filters, so only to be asked when something is unexplained. tc being absent is no fault: few use it. */
export async function readTc(tools: HolderTools, names: KnownNames): Promise<TcReading> {
  const qdiscs = await askText(tools, { ask: 'tc-qdiscs' }, 'tc qdisc show');
  if (qdiscs === 'missing') return { holders: [], unreadable: [] };
  if ('what' in qdiscs) return { holders: [], unreadable: [qdiscs] };
  const holders: (readonly [string, Holder])[] = [];
  const unreadable: Unreadable[] = [];
  for (const [device, hooks] of parseTcDevices(qdiscs.text)) {
    for (const hook of hooks) {
      const filters = await askText(tools, { ask: 'tc-filters', device, hook }, `tc filter show dev ${device} ${hook}`);
      if (filters === 'missing') continue;
      if ('what' in filters) unreadable.push(filters);
      else holders.push(...parseTcFilters(filters.text, device, hook, names));
    }
  }
  return { holders, unreadable };
}

async function askText(
  tools: HolderTools,
  question: HolderQuestion,
  what: string,
): Promise<{ readonly text: string } | Unreadable | 'missing'> {
  const chunks: Uint8Array[] = [];
  const answer = await tools.ask(question, (chunk) => chunks.push(chunk));
  if (answer.kind === 'missing') return 'missing';
  return toolFault(what, answer) ?? { text: Buffer.concat(chunks).toString('latin1') };
}
