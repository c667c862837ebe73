import { ApiError } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import type { IdentityVerifier } from './identity-verifier.ts';

/** What became of the statements that gateways showed: times in milliseconds since 1970, null where there was none. */
export interface Statements {
  readonly acceptedAt: number | null;
  readonly refused: { readonly at: number; readonly message: string; readonly remedy: string | null } | null;
}

/** Remembers the last statement that was accepted and the last that was refused, and why: two values, whoever asks. */
export interface StatementMemory {
  readonly statements: () => Statements;
  /** The same verifier, remembered. */
  watch(verifier: IdentityVerifier): IdentityVerifier;
}

/** A request without any statement is no gateway's, and not remembered. */
export function createStatementMemory(clock: Clock): StatementMemory {
  let statements: Statements = { acceptedAt: null, refused: null };
  return {
    statements: () => statements,
    watch: (verifier) => ({
      prove: async (authorization) => {
        try {
          const identity = await verifier.prove(authorization);
          statements = { ...statements, acceptedAt: clock.now() };
          return identity;
        } catch (error) {
          if (error instanceof ApiError && authorization !== undefined)
            statements = {
              ...statements,
              refused: { at: clock.now(), message: error.message, remedy: error.remedy ?? null },
            };
          throw error;
        }
      },
      bind: (identity, request) => verifier.bind(identity, request),
    }),
  };
}
