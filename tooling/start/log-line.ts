/** How a line of a log is shown: `isColoured` for terminals that want it. */
export interface LogLineStyle {
  /** Which process speaks, e.g. `agent`. */
  readonly speaker: string;
  readonly isColoured: boolean;
}

const levels: Readonly<Record<number, readonly [word: string, colour: number]>> = {
  10: ['trace', 90],
  20: ['debug', 90],
  30: ['info', 32],
  40: ['warn', 33],
  50: ['error', 31],
  60: ['fatal', 31],
};

const shownElsewhere = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'name', 'v', 'err']);
const valueLengthMax = 400;

/**
 * Turns one line of a process into one readable line: `12:00:01 agent   info  sentence key=value`. A pino record is
 * taken apart; anything else is shown as it is, after its speaker. Control characters never reach the terminal.
 */
export function formatLogLine(line: string, { speaker, isColoured }: LogLineStyle): string {
  const paint = (text: string, code: number) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
  const name = paint(speaker.padEnd(7), 36);
  const record = parseRecord(line);
  if (record === undefined) return `${' '.repeat(8)} ${name}       ${printable(line)}`;
  const [word, colour] = levels[Number(record.level)] ?? [String(record.level), 0];
  const time = new Date(Number(record.time));
  const clock = Number.isNaN(time.getTime()) ? '--:--:--' : time.toTimeString().slice(0, 8);
  const facts = Object.entries(record)
    .filter(([key, value]) => !shownElsewhere.has(key) && value !== undefined)
    .map(([key, value]) => ` ${paint(`${printable(key)}=`, 90)}${shortText(value)}`)
    .join('');
  return `${clock} ${name} ${paint(word.padEnd(5), colour)} ${printable(String(record.msg ?? ''))}${facts}${errorText(record.err)}`;
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && 'level' in value ? value : undefined;
  } catch {
    return undefined;
  }
}

function errorText(error: unknown): string {
  if (!isRecord(error)) return '';
  const stack = typeof error.stack === 'string' ? error.stack : String(error.message ?? '');
  return stack === ''
    ? ''
    : `\n${stack
        .split('\n')
        .map((frame) => `    ${printable(frame)}`)
        .join('\n')}`;
}

function shortText(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : (JSON.stringify(value) ?? '');
  return printable(text.length > valueLengthMax ? `${text.slice(0, valueLengthMax)}…` : text);
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
