import { type Logger, pino } from 'pino';

/** The gateway's log: readable on a terminal, JSON otherwise. Secrets never reach it: headers and bodies are not logged. */
export function createGatewayLog(level: string): Logger {
  if (process.stdout.isTTY !== true) return pino({ level, base: null });
  return pino({ level, base: null, transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss' } } });
}
