/** How a state is coloured; never the only sign of it. */
export type Tone = 'ok' | 'warn' | 'bad' | 'unsure' | 'info' | 'quiet';

/** Text colour of a tone. */
export const toneText: Readonly<Record<Tone, string>> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  unsure: 'text-unsure',
  info: 'text-accent',
  quiet: 'text-ink-3',
};

/** Background of a tone, for notes and badges. */
export const toneTint: Readonly<Record<Tone, string>> = {
  ok: 'bg-ok-tint',
  warn: 'bg-warn-tint',
  bad: 'bg-bad-tint',
  unsure: 'bg-unsure-tint',
  info: 'bg-accent-tint',
  quiet: 'bg-sunken',
};
