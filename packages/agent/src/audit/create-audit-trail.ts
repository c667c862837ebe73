import type { AccountEvent, AuditTrail, Caller } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { AuditRepository, ChangeRepository } from '../store/store.ts';
import { accountAct } from './account-act.ts';
import { auditInput } from './audit-input.ts';
import { createRefusalBudget } from './refusal-budget.ts';

export interface AuditTrailParts {
  readonly audit: AuditRepository;
  /** The time line on which acts are shown among everything else. */
  readonly changes: Pick<ChangeRepository, 'append'>;
  readonly clock: Clock;
  readonly events: EventBus;
}

/** The router's audit, and what else comes into it. */
export interface AgentAudit extends AuditTrail {
  /** Records what a gateway reports of its accounts; durable when it resolves. `gateway`: the name of its key. */
  account(event: AccountEvent, gateway: string): Promise<void>;
}

/** The router's audit on the store's. */
export function createAuditTrail(parts: AuditTrailParts): AgentAudit {
  const { audit, changes, clock, events } = parts;
  const nameless = createRefusalBudget(clock);
  // Of its own: whoever tries passwords must not hide who tries sockets.
  const unproved = createRefusalBudget(clock);

  const intent = (entry: { caller: Caller | null; verb: string; input: string; requestId: string }): string => {
    const { caller } = entry;
    const id = audit.begin({
      at: new Date(clock.now()).toISOString(),
      actor: caller?.name ?? '-',
      role: caller?.role ?? '-',
      ...(caller?.claimed === undefined ? {} : { claimed: caller.claimed }),
      verb: entry.verb,
      input: entry.input,
      via: caller?.via ?? 'gateway',
      requestId: entry.requestId,
    });
    events.emit({ type: 'audit-appended', message: entry.verb });
    return id;
  };

  return {
    begin: (entry) => {
      const started = clock.monotonic();
      const id = intent({ ...entry, input: auditInput(entry.input) });
      return {
        finish: (result) => {
          const durable = audit.finish(id, result, Math.round(clock.monotonic() - started));
          changes.append(actOnTimeLine(entry, result, new Date(clock.now()).toISOString()));
          events.emit({ type: 'audit-appended', message: entry.verb });
          return durable;
        },
      };
    },
    refuse: (entry) => {
      const unwritten = entry.caller === null ? nameless.admit() : 0;
      if (unwritten === null) return;
      const input = unwritten === 0 ? entry.input : { input: entry.input, refusalsNotRecorded: unwritten };
      void audit.finish(intent({ ...entry, input: auditInput(input) }), `refused: ${entry.result}`, 0);
    },
    account: async (event, gateway) => {
      const unwritten = event.proved ? 0 : unproved.admit();
      if (unwritten === null) return;
      const id = audit.begin({
        ...accountAct(event, unwritten),
        at: new Date(clock.now()).toISOString(),
        via: 'gateway',
        requestId: `${gateway}:${event.id}`,
      });
      const durable = audit.finish(id, event.result === 'done' ? 'done' : `refused: ${event.result}`, 0);
      events.emit({ type: 'audit-appended', message: `account.${event.act}` });
      await durable;
    },
  };
}

/** Groups that one line of the time line names. */
const GROUPS_MAX = 100;

function actOnTimeLine(
  { caller, verb, input }: { caller: Caller | null; verb: string; input: unknown },
  result: string,
  at: string,
): Parameters<ChangeRepository['append']>[0] {
  const groups = groupsIn(input);
  const reason = textIn(input, 'reason');
  const run = /\brun (\S+)$/u.exec(result)?.[1];
  return {
    at,
    kind: 'operator',
    actor: caller?.name ?? '-',
    subject: textIn(input, 'name') ?? textIn(input, 'id') ?? groups[0] ?? verb,
    text: `${verb}: ${result}${reason === null ? '' : ` (${reason})`}`,
    groups,
    ...(run === undefined ? {} : { run }),
  };
}

function groupsIn(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  if ('group' in input && typeof input.group === 'string') return [input.group];
  if (!('groups' in input) || !Array.isArray(input.groups)) return [];
  return input.groups.filter((group) => typeof group === 'string').slice(0, GROUPS_MAX);
}

function textIn(input: unknown, key: 'name' | 'id' | 'reason'): string | null {
  if (typeof input !== 'object' || input === null || !(key in input)) return null;
  const value: unknown = Reflect.get(input, key);
  return typeof value === 'string' ? value : null;
}
