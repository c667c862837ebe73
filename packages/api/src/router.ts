import { initTRPC, TRPCError, tracked } from '@trpc/server';
import { z } from 'zod';
import { type ApiContext, authorize, mayAsk, perform } from './context.ts';
import { AgentEvent } from './schema/event.ts';
import type { Call, Verb } from './verb.ts';
import { verbs } from './verbs.ts';
import { wireError } from './wire-error.ts';

const t = initTRPC.context<ApiContext>().create({
  isDev: false,
  errorFormatter: ({ shape, error, ctx }) => {
    const data = wireError(error, ctx?.requestId ?? '-');
    // The error's own words stay here: they may be a bug's, with a path or a command line in them.
    return { ...shape, message: data.message, data };
  },
  sse: { ping: { enabled: true, intervalMs: 5_000 }, client: { reconnectAfterInactivityMs: 20_000 } },
});

/** The procedure of a verb before its input is known: whoever may not ask learns that, and nothing about inputs. */
const procedureOf = (verb: Verb) =>
  t.procedure.use(async ({ ctx, getRawInput, next }) => {
    const isRefusedAct = verb.kind === 'mutation' && (ctx.caller === null || !mayAsk(ctx.caller.role, verb));
    authorize(verb, ctx, isRefusedAct ? await getRawInput() : null);
    return next();
  });

const callOf = (context: ApiContext, signal: AbortSignal | undefined): Call => {
  if (context.caller === null) throw new TRPCError({ code: 'UNAUTHORIZED' });
  return { caller: context.caller, requestId: context.requestId, signal };
};

const queryOf = <V extends Verb<string, z.ZodType, z.ZodType, 'query'>>(verb: V) =>
  procedureOf(verb)
    .input(verb.input as V['input'])
    .query(
      ({ ctx, input, signal }): Promise<z.output<V['output']>> =>
        perform(verb, ctx, input, callOf(ctx, signal)) as Promise<z.output<V['output']>>,
    );

const mutationOf = <V extends Verb<string, z.ZodType, z.ZodType, 'mutation'>>(verb: V) =>
  procedureOf(verb)
    .input(verb.input as V['input'])
    .mutation(
      ({ ctx, input, signal }): Promise<z.output<V['output']>> =>
        perform(verb, ctx, input, callOf(ctx, signal)) as Promise<z.output<V['output']>>,
    );

/** The one multiplexed event stream of a client; resumes after `lastEventId`, or begins with a `reset` event. */
const eventsWatch = t.procedure
  .input(z.object({ lastEventId: z.string().max(80).nullish() }).optional())
  .subscription(async function* ({ ctx, input, signal }) {
    for await (const event of ctx.watch(input?.lastEventId ?? undefined, callOf(ctx, signal))) {
      yield tracked(event.id, AgentEvent.parse(event));
    }
  });

/** The API of an agent: `<noun>.<verb>`. */
export const router = t.router({
  status: t.router({
    get: queryOf(verbs['status.get']),
    settled: queryOf(verbs['status.settled']),
    charts: queryOf(verbs['status.charts']),
  }),
  sets: t.router({
    list: queryOf(verbs['sets.list']),
    get: queryOf(verbs['sets.get']),
    members: queryOf(verbs['sets.members']),
    drift: queryOf(verbs['sets.drift']),
    reprogram: mutationOf(verbs['sets.reprogram']),
  }),
  // A record, not a router of its own: tRPC reserves the key `apply` in calls of `router`, and the verb's name is a promise.
  plan: {
    get: queryOf(verbs['plan.get']),
    lines: queryOf(verbs['plan.lines']),
    apply: mutationOf(verbs['plan.apply']),
  },
  runs: t.router({
    list: queryOf(verbs['runs.list']),
    get: queryOf(verbs['runs.get']),
    outcomes: queryOf(verbs['runs.outcomes']),
    retry: mutationOf(verbs['runs.retry']),
  }),
  sources: t.router({
    list: queryOf(verbs['sources.list']),
    accept: mutationOf(verbs['sources.accept']),
  }),
  held: t.router({
    list: queryOf(verbs['held.list']),
    release: mutationOf(verbs['held.release']),
    reject: mutationOf(verbs['held.reject']),
  }),
  holds: t.router({
    list: queryOf(verbs['holds.list']),
    add: mutationOf(verbs['holds.add']),
    remove: mutationOf(verbs['holds.remove']),
  }),
  overrides: t.router({
    list: queryOf(verbs['overrides.list']),
    add: mutationOf(verbs['overrides.add']),
    remove: mutationOf(verbs['overrides.remove']),
  }),
  pins: t.router({
    list: queryOf(verbs['pins.list']),
    add: mutationOf(verbs['pins.add']),
    remove: mutationOf(verbs['pins.remove']),
  }),
  leftovers: t.router({
    list: queryOf(verbs['leftovers.list']),
    cleanup: mutationOf(verbs['leftovers.cleanup']),
  }),
  references: t.router({
    list: queryOf(verbs['references.list']),
  }),
  leaks: t.router({
    list: queryOf(verbs['leaks.list']),
  }),
  kernel: t.router({
    list: queryOf(verbs['kernel.list']),
  }),
  explain: t.router({
    address: queryOf(verbs['explain.address']),
  }),
  model: t.router({
    groups: queryOf(verbs['model.groups']),
    endpoints: queryOf(verbs['model.endpoints']),
    profiles: queryOf(verbs['model.profiles']),
    networks: queryOf(verbs['model.networks']),
    lists: queryOf(verbs['model.lists']),
    hosts: queryOf(verbs['model.hosts']),
    references: queryOf(verbs['model.references']),
    put: mutationOf(verbs['model.put']),
    delete: mutationOf(verbs['model.delete']),
    validate: queryOf(verbs['model.validate']),
    export: queryOf(verbs['model.export']),
  }),
  changes: t.router({
    list: queryOf(verbs['changes.list']),
  }),
  audit: t.router({
    list: queryOf(verbs['audit.list']),
    verify: queryOf(verbs['audit.verify']),
  }),
  doctor: t.router({
    run: queryOf(verbs['doctor.run']),
  }),
  metrics: t.router({
    get: queryOf(verbs['metrics.get']),
  }),
  session: t.router({
    get: queryOf(verbs['session.get']),
  }),
  events: t.router({ watch: eventsWatch }),
});

/** The type a client imports; never the value. */
export type AppRouter = typeof router;
