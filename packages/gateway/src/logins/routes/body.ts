import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refused } from '../../fences/refusal.ts';
import { passwordLength } from '../password-rule.ts';

/** A name as it is typed to sign in. */
export const NameText = z.string().trim().toLowerCase().min(1).max(64);
/** A password as it is typed: judged by `passwordFault` where one is chosen. */
export const PasswordText = z
  .string()
  .min(1)
  .max(passwordLength.max * 4);

/** The JSON body of a request, checked. Throws Refused with `bad-input`. */
export function bodyOf<Schema extends z.ZodType>(request: FastifyRequest, schema: Schema): z.output<Schema> {
  let value: unknown;
  try {
    value = Buffer.isBuffer(request.body) ? JSON.parse(request.body.toString('utf8')) : {};
  } catch {
    throw badInput('The body is no JSON.');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.map(String).join('.');
  throw badInput(`${where}: ${issue?.message ?? 'does not fit'}`, where);
}

/** A refusal of what was typed. */
export const badInput = (message: string, subject?: string): Refused =>
  new Refused({ status: 400, code: 'bad-input', message, ...(subject === undefined ? {} : { subject }) });
