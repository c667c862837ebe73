import { TRPCError } from '@trpc/server';
import { describe, expect, it } from 'vitest';
import { type ZodError, z } from 'zod';
import { type ApiContext, isWithin, mayAsk } from './context.ts';
import { router } from './router.ts';
import { ApiError, ErrorCode } from './schema/api-error.ts';
import type { Caller } from './schema/caller.ts';
import { type Handlers, verbs } from './verbs.ts';
import { wireError } from './wire-error.ts';

const caller = (role: Caller['role']): Caller => ({ subject: 'u', name: 'maria', role, via: 'gateway' });

/** A caller of the router, and what the audit was told. */
const bench = (who: Caller | null, handlers: Partial<Handlers> = {}) => {
  const audited: string[] = [];
  const context: ApiContext = {
    caller: who,
    requestId: 'r1',
    handlers: handlers as Handlers,
    watch: async function* () {},
    audit: {
      begin: ({ verb }) => {
        audited.push(`begin ${verb}`);
        return { finish: async (result) => void audited.push(`finish ${result}`) };
      },
      refuse: ({ verb, result }) => audited.push(`refuse ${verb}: ${result}`),
    },
  };
  return { audited, api: router.createCaller(context) };
};
const causeOf = async (asked: Promise<unknown>): Promise<unknown> => {
  const error = await asked.catch((thrown: unknown) => thrown);
  return error instanceof TRPCError ? error.cause : error;
};

/** tRPC keeps the kind of a procedure in a place that has no type for a router of unknown depth. */
const kindOf = (procedure: unknown): unknown => Reflect.get(Object(Reflect.get(Object(procedure), '_def')), 'type');

describe('the verbs', () => {
  it('have a procedure each, of their own kind, and the router has no other but the event stream', () => {
    const procedures = Object.entries(router._def.procedures).map(([name, procedure]) => [name, kindOf(procedure)]);
    const expected = Object.values(verbs).map(({ name, kind }) => [name, kind]);
    expect(procedures.toSorted()).toEqual([...expected, ['events.watch', 'subscription']].toSorted());
  });

  it('only look as viewer, and act as operator or more', () => {
    for (const verb of Object.values(verbs)) {
      expect(mayAsk('viewer', verb), verb.name).toBe(verb.kind === 'query');
      expect(mayAsk('operator', verb), verb.name).toBe(verb.role !== 'admin');
      expect(mayAsk('admin', verb), verb.name).toBe(true);
    }
    expect([isWithin('viewer', 'operator'), isWithin('admin', 'operator')]).toEqual([true, false]);
  });
});

describe('asking a verb', () => {
  it('without identity or with too weak a role is refused before its input is looked at, and an act is in the audit', async () => {
    const nobody = bench(null);
    expect(await causeOf(nobody.api.pins.add({ nonsense: true } as never))).toMatchObject({ code: 'unauthenticated' });
    expect(nobody.audited).toEqual(['refuse pins.add: unauthenticated']);
    const viewer = bench(caller('viewer'));
    expect(await causeOf(viewer.api.pins.add({ nonsense: true } as never))).toMatchObject({
      code: 'not-permitted',
      message: 'pins.add needs the role operator; maria has viewer.',
    });
    expect(viewer.audited).toEqual(['refuse pins.add: not-permitted']);
    expect(await causeOf(nobody.api.status.get())).toMatchObject({ code: 'unauthenticated' });
    expect(nobody.audited).toHaveLength(1);
  });

  it('that acts is in the audit before and after, whatever becomes of it', async () => {
    const order: string[] = [];
    const good = bench(caller('operator'), {
      'pins.add': () => {
        order.push(...good.audited);
        return { group: 'tag:web', referrer: 'pin/tag:web', by: 'maria', reason: 'r', at: 'now' };
      },
    });
    await good.api.pins.add({ group: 'tag:web', reason: 'r' });
    expect(order).toEqual(['begin pins.add']);
    expect(good.audited).toEqual(['begin pins.add', 'finish done']);

    const refused = bench(caller('operator'), {
      'pins.add': () => {
        throw new ApiError('conflict', 'no');
      },
    });
    expect(await causeOf(refused.api.pins.add({ group: 'tag:web', reason: 'r' }))).toMatchObject({ code: 'conflict' });
    expect(refused.audited.at(-1)).toBe('finish conflict');

    const broken = bench(caller('operator'), {
      'pins.add': () => {
        throw new Error('a bug');
      },
    });
    await causeOf(broken.api.pins.add({ group: 'tag:web', reason: 'r' }));
    expect(broken.audited.at(-1)).toBe('finish internal');
  });

  it('that only looks is not in the audit', async () => {
    const { api, audited } = bench(caller('viewer'), { 'pins.list': () => [] });
    expect(await api.pins.list()).toEqual([]);
    expect(audited).toEqual([]);
  });
});

describe('an error on the wire', () => {
  const wire = (cause: Error) => wireError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause }), 'r1');

  it('has an HTTP status for every code', () => {
    for (const code of ErrorCode.options) {
      const { httpStatus, ...body } = wire(
        new ApiError(code, 'words', { subject: 's', remedy: 'r', details: { d: 1 } }),
      );
      expect(httpStatus, code).toBeGreaterThanOrEqual(400);
      expect(body).toEqual({ code, message: 'words', subject: 's', remedy: 'r', details: { d: 1 }, requestId: 'r1' });
    }
  });

  it('names the field of an input that does not fit', () => {
    const { error } = z.object({ groups: z.array(z.string()) }).safeParse({ groups: [1] });
    expect(wire(error as ZodError)).toMatchObject({ code: 'bad-input', httpStatus: 400, subject: 'groups.0' });
  });

  it('says nothing of a bug but the request id', () => {
    const body = wire(new Error('connect /etc/secret ipset -F'));
    expect(JSON.stringify(body)).not.toMatch(/secret|ipset/u);
    expect(body).toMatchObject({ code: 'internal', httpStatus: 500, requestId: 'r1' });
  });
});
