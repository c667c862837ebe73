import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** The agent's log: readable on a terminal, JSON otherwise. `level` as pino knows it. */
export function createLog(level: string, output: NodeJS.WriteStream): Logger {
  const options = { level, base: null, redact: { paths: ['*.authorization', '*.password'], remove: true } };
  // The default destination writes at once: nothing is lost when the process ends.
  if (!output.isTTY) return pino(options);
  return pino(
    options,
    pretty({ destination: output, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', singleLine: true }),
  );
}
