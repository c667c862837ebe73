import type { Role } from '@setkeeper/api';
import type { AdministrationRefusal, ChangedUser, UserRow } from '@setkeeper/gateway';
import { fetch } from 'undici';
import type { AgentTarget } from '../client/agent-target.ts';
import { bodyFailure, wireFailure } from '../client/wire-failure.ts';
import { ExitCode, exitCodeOf } from '../exit-code.ts';
import { Failure, usageFailure } from '../failure.ts';

/** A user as the gateway tells; `password` where one was made. */
export interface ToldUser {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly disabled: boolean;
  readonly mustChangePassword: boolean;
  readonly password?: string;
}

/** The change of a user. */
export interface UserChange {
  readonly role?: Role;
  readonly disabled?: boolean;
  readonly resetPassword?: boolean;
}

/** The way to a gateway's users. Every call throws Failure. */
export interface UserDoor {
  list(): Promise<readonly UserRow[]>;
  add(user: { readonly name: string; readonly role: Role }): Promise<ToldUser>;
  change(name: string, change: UserChange): Promise<ToldUser>;
  close(): void;
}

/** By the gateway, with an admin's token. */
export function userDoorOfGateway(target: AgentTarget & { via: 'gateway' }): UserDoor {
  const ask = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const headers = {
      'content-type': 'application/json',
      ...(target.token === undefined ? {} : { authorization: `Bearer ${target.token}` }),
    };
    try {
      const response = await fetch(target.url + path, {
        headers,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      if (!response.ok) throw bodyFailure(response.status, await response.text());
      return (await response.json()) as Answer;
    } catch (error) {
      throw wireFailure(error, target);
    }
  };
  return {
    list: () => ask('/api/users'),
    add: (user) => ask('/api/users', user),
    change: (name, change) => ask(`/api/users/${encodeURIComponent(name)}`, change),
    close: () => {},
  };
}

/** By the store itself, as root of the gateway's host. `actor`: who is behind root, for the log of accounts. */
export async function userDoorOfStore(store: string, actor: string): Promise<UserDoor> {
  // Loaded only here: it brings the whole library of logins.
  const { openUserAdministration } = await import('@setkeeper/gateway');
  const administration = await openUserAdministration(store).catch((cause: unknown) => {
    throw new Failure(
      ExitCode.forbidden,
      cause instanceof Error ? cause.message : `the store ${store} cannot be opened`,
      {
        notes: ["remedy: run as root on the gateway's host, or ask the gateway: --url URL --token-file F"],
        cause,
      },
    );
  });
  const by = { name: actor, address: 'local' };
  const done = (answer: ChangedUser | AdministrationRefusal): ChangedUser['user'] => {
    if ('refused' in answer) throw refusalFailure(answer);
    return answer.user;
  };
  return {
    list: async () => administration.list(),
    add: async (user) => done(await administration.add(by, user)),
    change: async (name, change) => done(await administration.change(by, name, change)),
    close: () => administration.close(),
  };
}

function refusalFailure(refusal: AdministrationRefusal): Failure {
  const conflict = (message: string): Failure => new Failure(exitCodeOf('conflict'), message, { code: 'conflict' });
  switch (refusal.refused) {
    case 'name-taken':
      return conflict('there is a user of that name already');
    case 'last-admin':
      return conflict('this is the last admin');
    case 'no-such-user':
      return new Failure(exitCodeOf('not-found'), 'there is no such user', { code: 'not-found' });
    case 'busy':
      return conflict('the store is busy');
    case 'not-good':
      return usageFailure(`not taken: ${refusal.reason}`);
  }
}
