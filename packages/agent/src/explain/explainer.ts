import { ApiError, type Explanation } from '@setkeeper/api';
import { foreignOwnerByName, type GroupId, type Member, parseIp } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import { explainedCount, type HolderReading, holdersOf } from '../holders/holder-reading.ts';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import { keyParts } from '../model/object-text.ts';
import { objectKey } from '../model/objects.ts';
import type { HostObserver } from '../observe/host-observer.ts';
import { type OwnershipRules, setOwnership } from '../ownership/set-ownership.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { AddressFilter } from './address-filter.ts';
import {
  desiredMatch,
  type ExplainModel,
  gapReason,
  groupIdOf,
  groupsOfAddress,
  historyWord,
  ownersOf,
} from './explain-model.ts';
import { type HostScan, type SetMatch, scanHost } from './host-scan.ts';
import { memberOrigin } from './member-origin.ts';
import { type ProgrammingLinePorts, programmingLine } from './programming-line.ts';
import { timeWords } from './time-words.ts';
import { usageWords } from './usage-words.ts';
import { verdictSentence } from './verdict.ts';
import { whyNot } from './why-not.ts';

export interface ExplainerPorts {
  readonly reader: KernelReader;
  readonly observer: HostObserver;
  readonly clock: Pick<Clock, 'now'>;
  readonly rules: () => OwnershipRules;
  /** Null in observe mode. */
  readonly model: ExplainModel | null;
  readonly addLine: ProgrammingLinePorts['addLine'];
  readonly turn: () => Promise<void>;
}

type Row = Explanation['sets'][number];

/** Says why an address is in which sets of the host, since when, by which event, run and line, and which rules use them; or why not. */
export class Explainer {
  readonly #ports: ExplainerPorts;
  #running: Promise<unknown> = Promise.resolve();

  constructor(ports: ExplainerPorts) {
    this.#ports = ports;
  }

  /** Reads sets and holders anew. One question at a time: each reads every member of the host. Throws ApiError for what is no address or group. */
  explain(text: string, groupText?: string): Promise<Explanation> {
    const address = parseIp(text);
    if (address === undefined) {
      throw new ApiError('bad-input', `${text} is no IPv4 or IPv6 address.`, {
        subject: text,
        remedy: 'Give one address in its usual form, without a prefix length.',
      });
    }
    const group = groupText === undefined ? null : this.#group(groupText);
    const answer = this.#running.then(() => this.#explain(new AddressFilter(address), group));
    this.#running = answer.catch(() => undefined);
    return answer;
  }

  #group(text: string): GroupId {
    const group = groupIdOf(text);
    if (group === undefined) throw new ApiError('bad-input', `${text} is no group.`, { subject: text });
    const { model } = this.#ports;
    if (model !== null && model.state.registry.ofGroup(group).length > 0) return group;
    throw new ApiError('not-found', `There is no group ${text} in the model, and nothing references it.`, {
      subject: text,
      remedy: '"setkeeper groups" lists the groups.',
    });
  }

  async #explain(filter: AddressFilter, group: GroupId | null): Promise<Explanation> {
    const [scan, holders] = await Promise.all([
      scanHost(this.#ports.reader, filter),
      this.#ports.observer.readHolders(),
    ]);
    const rows = [
      ...this.#unmanagedRows(filter, scan, holders, group),
      ...(await this.#managedRows(filter, scan, holders, group)),
    ];
    const unreadable: Explanation['unreadable'] = scan.unreadable.map(({ name, message }) => ({ name, why: message }));
    if (scan.fault !== null) unreadable.push({ name: 'ipset save', why: scan.fault.message });
    return {
      address: filter.text,
      sets: rows.toSorted((a, b) => Number(b.matched) - Number(a.matched)),
      endpoints: this.#endpoints(filter),
      unreadable,
      why: this.#why(filter, rows, group),
    };
  }

  /** Sets that nobody manages here: those that hold or exclude the address. */
  #unmanagedRows(filter: AddressFilter, scan: HostScan, holders: HolderReading, group: GroupId | null): readonly Row[] {
    if (group !== null) return [];
    const rules = this.#ports.rules();
    return [...scan.matches].flatMap(([name, match]) => {
      const { owner } = setOwnership(name, rules);
      if (owner === 'managed' || owner === 'internal' || (!match.matched && !match.excluded)) return [];
      const byName = owner === 'foreign' ? foreignOwnerByName(name) : undefined;
      const kind = byName === undefined ? owner : `${owner}, ${byName} by its name`;
      const base = baseRow(name, match, holders);
      const verdict = verdictSentence({
        ...base,
        address: filter.text,
        group: undefined,
        kind,
        desired: false,
        gap: null,
        owners: [],
        isUseKnown: isUseKnown(name, holders),
        whyNot: [],
      });
      return [
        {
          ...base,
          foreign: owner === 'foreign',
          ...(byName === undefined ? {} : { byName }),
          inKernel: match.matched,
          verdict,
        },
      ];
    });
  }

  async #managedRows(
    filter: AddressFilter,
    scan: HostScan,
    holders: HolderReading,
    group: GroupId | null,
  ): Promise<readonly Row[]> {
    const { model } = this.#ports;
    if (model === null) return [];
    const sets = group === null ? [...model.state.registry.all()] : model.state.registry.ofGroup(group);
    const ofEndpoints = groupsOfAddress(model, filter);
    const rows: Row[] = [];
    for (const set of sets) {
      if (set.family !== null && set.family !== filter.address.family) continue;
      // Another group has the kernel name: what the kernel's set holds is that group's.
      const match = set.collidesWith === null ? scan.matches.get(set.name) : undefined;
      if (set.life.phase === 'waiting' && match === undefined && group === null) continue;
      const desired = await desiredMatch(model, set, filter, { ofEndpoints, turn: this.#ports.turn });
      const isOfInterest = match?.matched === true || match?.excluded === true || desired.matched || desired.excluded;
      if (isOfInterest || group !== null)
        rows.push(await this.#managedRow(model, set, filter, { match, desired, scan, holders }));
    }
    return rows;
  }

  async #managedRow(
    model: ExplainModel,
    set: ManagedSet,
    filter: AddressFilter,
    seen: {
      readonly match: SetMatch | undefined;
      readonly desired: { readonly matched: boolean; readonly excluded: boolean; readonly by: readonly string[] };
      readonly scan: HostScan;
      readonly holders: HolderReading;
    },
  ): Promise<Row> {
    const { match, desired, scan, holders } = seen;
    const { ports } = model.state;
    const base = baseRow(set.name, match ?? { ...NO_MATCH, type: set.type, family: set.family }, holders);
    const by = base.by.length > 0 ? base.by : [...desired.by];
    const isKnown =
      scan.fault === null && (match !== undefined || !scan.unreadable.some(({ name }) => name === set.name));
    const inKernel = isKnown ? base.matched : null;
    const owners = ownersOf(model, set, by);
    const gap = inKernel === null || inKernel === desired.matched ? null : gapReason(model, set, by, desired.matched);
    const origin =
      by.length === 0
        ? null
        : memberOrigin(ports.store.changes, { group: set.group, word: historyWord(set, filter, by) }, owners);
    const [first] = by;
    const line =
      inKernel === true && first !== undefined
        ? await programmingLine(
            { runs: ports.store.runs, addLine: this.#ports.addLine, turn: this.#ports.turn },
            set.name,
            first as Member,
            origin?.at ?? null,
          )
        : null;
    const isIn = base.matched || desired.matched || base.excluded;
    const reasons = isIn ? [] : this.#whyNot(model, filter, set.group);
    return {
      ...base,
      group: set.group,
      foreign: false,
      by: [...by],
      owners,
      inKernel,
      desired: desired.matched,
      since: origin?.at ?? null,
      event: origin === null ? null : eventWords(origin, this.#ports.clock.now()),
      run: line?.run ?? null,
      line: line?.line ?? null,
      via: set.family === null ? [...by] : [],
      verdict: verdictSentence({
        ...base,
        by,
        address: filter.text,
        group: set.group,
        kind: undefined,
        desired: desired.matched,
        gap,
        owners,
        isUseKnown: isUseKnown(set.name, holders),
        whyNot: reasons,
      }),
    };
  }

  #whyNot(model: ExplainModel, filter: AddressFilter, group: GroupId | null): readonly string[] {
    const { membership, store } = model.state.ports;
    const { objectOfKey } = model;
    const now = this.#ports.clock.now();
    return whyNot({ membership, changes: store.changes, objectOfKey, now }, filter.text, group);
  }

  #endpoints(filter: AddressFilter): Explanation['endpoints'] {
    const { model } = this.#ports;
    if (model === null) return [];
    const { membership } = model.state.ports;
    return membership.endpointsWithAddress(filter.text as Member).map((id) => {
      const object = model.objectOfKey(objectKey('endpoint', id));
      return {
        id,
        groups: [...membership.groupsOfEndpoint(id)],
        active: object?.kind === 'endpoint' ? object.active : false,
      };
    });
  }

  /** What is to be said beside the rows: why the address is nowhere, or what the model once had of it. */
  #why(filter: AddressFilter, rows: readonly Row[], group: GroupId | null): string[] {
    const { model } = this.#ports;
    // That a network holds it says nothing of the address itself.
    const isKnown = rows.some(({ desired, type }) => desired && type !== 'hash:net' && type !== 'list:set');
    if (group !== null || isKnown || model === null) return [];
    return [...this.#whyNot(model, filter, null)];
  }
}

const NO_MATCH = { matched: false, excluded: false, by: [] as readonly string[] };

type Matched = Pick<SetMatch, 'matched' | 'excluded' | 'by'> &
  (Pick<SetMatch, 'header'> | { readonly type: string; readonly family: Row['family'] });

/** What the kernel says of the address in a set. */
function baseRow(name: string, match: Matched, holders: HolderReading): Omit<Row, 'foreign' | 'inKernel' | 'verdict'> {
  const { type, family } = 'header' in match ? match.header : match;
  return {
    name,
    family,
    type,
    matched: match.matched,
    excluded: match.excluded,
    by: [...match.by],
    owners: [],
    desired: false,
    since: null,
    event: null,
    run: null,
    line: null,
    usedBy: holdersOf(holders, name).map(usageWords),
    via: type === 'list:set' ? [...match.by] : [],
  };
}

/** Whether a set without holders is known to have none. */
function isUseKnown(name: string, holders: HolderReading): boolean {
  const set = holders.sets?.find(({ header }) => header.name === name);
  return set !== undefined && set.references !== null && set.references <= explainedCount(holders, name);
}

function eventWords(
  change: {
    readonly key: Parameters<typeof keyParts>[0];
    readonly kind: string;
    readonly at: string;
    readonly source: string;
    readonly file?: string;
    readonly line?: number;
  },
  now: number,
): string {
  const { kind, id } = keyParts(change.key);
  const line = change.line === undefined ? '' : `:${change.line}`;
  const where = change.file === undefined ? change.source : `${change.file}${line}`;
  return `${kind} ${id} ${change.kind} ${timeWords(change.at, now)} by ${where}`;
}
