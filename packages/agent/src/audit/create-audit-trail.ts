import type { AuditTrail, Caller } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { AuditRepository, ChangeRepository } from '../store/store.ts';
import { auditInput } from './audit-input.ts';

/** Refusals of callers without identity that are written down at once, and each second after that: who cannot prove a name must not fill the disk. The rest is counted in the next line. */
const NAMELESS_REFUSALS_BURST = 20;
const NAMELESS_REFUSALS_A_SECOND = 1;

export interface AuditTrailParts {
  readonly audit: AuditRepository;
  /** The time line on which acts are shown among everything else. */
  readonly changes: Pick<ChangeRepository, 'append'>;
  readonly clock: Clock;
  readonly events: EventBus;
}

/** The router's audit on the store's. */
export function createAuditTrail(parts: AuditTrailParts): AuditTrail {
  const { audit, changes, clock, events } = parts;
  const refusals = { tokens: NAMELESS_REFUSALS_BURST, at: clock.monotonic(), uncounted: 0 };

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

  /** How many refusals went unwritten before this one; null: this one, too. */
  const admitRefusal = (): number | null => {
    const seconds = Math.floor((clock.monotonic() - refusals.at) / 1000);
    if (seconds > 0) {
      refusals.tokens = Math.min(NAMELESS_REFUSALS_BURST, refusals.tokens + seconds * NAMELESS_REFUSALS_A_SECOND);
      refusals.at += seconds * 1000;
    }
    if (refusals.tokens < 1) {
      refusals.uncounted += 1;
      return null;
    }
    refusals.tokens -= 1;
    const before = refusals.uncounted;
    refusals.uncounted = 0;
    return before;
  };

  return {
    begin: (entry) => {
      const started = clock.monotonic();
      const id = intent({ ...entry, input: auditInput(entry.input) });
      return {
        finish: (result) => {
          audit.finish(id, result, Math.round(clock.monotonic() - started));
          changes.append(actOnTimeLine(entry, result, new Date(clock.now()).toISOString()));
          events.emit({ type: 'audit-appended', message: entry.verb });
        },
      };
    },
    refuse: (entry) => {
      const unwritten = entry.caller === null ? admitRefusal() : 0;
      if (unwritten === null) return;
      const input = unwritten === 0 ? entry.input : { input: entry.input, refusalsNotRecorded: unwritten };
      audit.finish(intent({ ...entry, input: auditInput(input) }), `refused: ${entry.result}`, 0);
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
