import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** The gateway's log: readable on a terminal, JSON otherwise. Secrets never reach it: headers and bodies are not logged. */
export function createGatewayLog(level: string): Logger {
  if (process.stdout.isTTY !== true) return pino({ level, base: null });
  // In this process, not in a worker that pino would start: a bundle has no file for one.
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss', colorize: !process.env.NO_COLOR });
  return pino({ level, base: null }, { write: (line: string) => void process.stdout.write(String(pretty(line))) });
}
