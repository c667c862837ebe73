import type { Clock } from '../clock.ts';
import type { Statements } from '../server/statement-memory.ts';
import { bad, good, type Probe } from './doctor.ts';

/** One that was refused so long ago is not told any more, if others were taken since. */
const REFUSAL_FRESH_MS = 10 * 60_000;

/** The mistakes between a gateway and this agent that both their files hide: another key, another name, another time. */
export function gatewayProbe(statements: () => Statements, clock: Clock): Probe {
  return {
    check: 'gateway statements',
    look: () => {
      const { acceptedAt, refused } = statements();
      const heard = acceptedAt === null ? null : new Date(acceptedAt).toISOString();
      if (refused !== null && (heard === null || clock.now() - refused.at < REFUSAL_FRESH_MS))
        return bad(
          `A gateway was refused at ${new Date(refused.at).toISOString()}: ${refused.message}`,
          refused.remedy ?? "Compare the gateway's configuration with trust.gatewayKeys and host.",
        );
      return heard === null ? null : good(`A gateway was heard at ${heard}.`);
    },
  };
}
