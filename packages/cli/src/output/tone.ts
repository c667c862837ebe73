import { styleText } from 'node:util';

/** How a piece of text is coloured; always beside the word that says the same. */
export type Tone = 'good' | 'bad' | 'warn' | 'dim' | 'strong' | 'plain';

const format: Record<Exclude<Tone, 'plain'>, Parameters<typeof styleText>[0]> = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  dim: 'dim',
  strong: 'bold',
};

/** Text in a tone, or plain where colours are off. */
export function toned(text: string, tone: Tone, coloured: boolean): string {
  if (!coloured || tone === 'plain' || text === '') return text;
  return styleText(format[tone], text, { validateStream: false });
}

const goodWords = new Set(['in-sync', 'live', 'succeeded', 'current', 'ok', 'applied', 'managed', 'yes']);
const badWords = new Set(['failed', 'missing', 'drifted', 'rejected', 'unknown', 'interrupted', 'critical', 'no']);
const warnWords = new Set(['dirty', 'partly', 'stale', 'held', 'waiting', 'skipped', 'warning', 'running', 'starting']);

/** The tone of one of the words of the state axes. */
export function toneOf(word: string): Tone {
  if (goodWords.has(word)) return 'good';
  if (badWords.has(word)) return 'bad';
  if (warnWords.has(word)) return 'warn';
  return 'plain';
}
