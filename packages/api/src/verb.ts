import type { z } from 'zod';
import type { Caller } from './schema/caller.ts';
import type { Role } from './schema/scalars.ts';

/** One verb of the API: its name, who may ask, what goes in and what comes out. */
export interface Verb<
  Name extends string = string,
  In extends z.ZodType = z.ZodType,
  Out extends z.ZodType = z.ZodType,
  Kind extends 'query' | 'mutation' = 'query' | 'mutation',
> {
  readonly name: Name;
  readonly kind: Kind;
  /** The weakest role that may ask. */
  readonly role: Role;
  readonly input: In;
  /** The shape of the answer: for types and contract tests, not checked again on each answer (an answer may hold a thousand rows). */
  readonly output: Out;
}

/** Declares a verb that changes nothing. */
export const query = <Name extends string, In extends z.ZodType, Out extends z.ZodType>(
  name: Name,
  role: Role,
  input: In,
  output: Out,
): Verb<Name, In, Out, 'query'> => ({ name, kind: 'query', role, input, output });

/** Declares a verb that acts; each is in the audit. */
export const mutation = <Name extends string, In extends z.ZodType, Out extends z.ZodType>(
  name: Name,
  role: Role,
  input: In,
  output: Out,
): Verb<Name, In, Out, 'mutation'> => ({ name, kind: 'mutation', role, input, output });

/** Who asks and for what request; `signal` ends when the caller leaves. */
export interface Call {
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
}

/** What the agent must implement for a verb. Throws ApiError for an expected refusal. */
export type Handler<V extends Verb> = (
  input: z.output<V['input']>,
  call: Call,
) => Promise<z.input<V['output']>> | z.input<V['output']>;
