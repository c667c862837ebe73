import { ApiError, type ErrorCode } from './schema/api-error.ts';
import type { Caller } from './schema/caller.ts';
import type { AgentEvent } from './schema/event.ts';
import type { Role } from './schema/scalars.ts';
import type { Call, Verb } from './verb.ts';
import type { Handlers, VerbName } from './verbs.ts';

/** What a server gives the router for one request. */
export interface ApiContext {
  /** Null: the request proved no identity. */
  readonly caller: Caller | null;
  readonly requestId: string;
  readonly handlers: Handlers;
  /** Events after `lastEventId`, for ever, until the call's signal ends. */
  readonly watch: (lastEventId: string | undefined, call: Call) => AsyncIterable<AgentEvent>;
  /** Records an act before and after it is done, refused ones too. */
  readonly audit: AuditTrail;
}

/** The audit as the router sees it. `begin` is durable when it returns, a result when `finish` resolves; both are there for readers at once. */
export interface AuditTrail {
  begin(entry: { caller: Caller | null; verb: string; input: unknown; requestId: string }): {
    finish(result: string): Promise<void>;
  };
  refuse(entry: { caller: Caller | null; verb: string; input: unknown; requestId: string; result: string }): void;
}

const rank: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

/** Whether a role may ask a verb. */
export function mayAsk(role: Role, verb: Verb): boolean {
  return isWithin(verb.role, role);
}

/** Whether a role may do no more than another one. */
export function isWithin(role: Role, max: Role): boolean {
  return rank[role] <= rank[max];
}

/** Who asks, if they may ask this verb; throws the refusal otherwise, and records that of an act. `input` is as it came: a refusal comes before anything is parsed. */
export function authorize(verb: Verb, context: ApiContext, input: unknown): Caller {
  const { caller, requestId, audit } = context;
  const refuse = (result: ErrorCode): void => {
    if (verb.kind === 'mutation') audit.refuse({ caller, verb: verb.name, input, requestId, result });
  };
  if (caller === null) {
    refuse('unauthenticated');
    throw new ApiError('unauthenticated', 'This request carries no identity.', {
      remedy: 'Ask through the gateway, or on the admin socket.',
    });
  }
  if (!mayAsk(caller.role, verb)) {
    refuse('not-permitted');
    throw new ApiError(
      'not-permitted',
      `${verb.name} needs the role ${verb.role}; ${caller.name} has ${caller.role}.`,
      { subject: verb.name, remedy: `Ask someone with the role ${verb.role}.` },
    );
  }
  return caller;
}

/** Runs a verb's handler; an act is in the audit before it is done, and its result after. */
export async function perform(verb: Verb, context: ApiContext, input: unknown, call: Call): Promise<unknown> {
  const handler = context.handlers[verb.name as VerbName] as (input: unknown, call: Call) => unknown;
  if (verb.kind === 'query') return handler(input, call);
  const entry = context.audit.begin({ caller: call.caller, verb: verb.name, input, requestId: call.requestId });
  try {
    const answer = await handler(input, call);
    await entry.finish(resultOf(answer));
    return answer;
  } catch (error) {
    await entry.finish(error instanceof ApiError ? error.code : 'internal');
    throw error;
  }
}

function resultOf(answer: unknown): string {
  if (answer !== null && typeof answer === 'object' && 'phase' in answer && typeof answer.phase === 'string') {
    const run = 'run' in answer ? answer.run : 'id' in answer ? answer.id : undefined;
    return typeof run === 'string' ? `${answer.phase} run ${run}` : answer.phase;
  }
  return 'done';
}
