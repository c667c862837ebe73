import { describe, expect, it } from 'vitest';
import { formatLogLine } from './log-line.ts';

const plain = { speaker: 'agent', isColoured: false };

describe('formatLogLine', () => {
  it('shows a record as time, speaker, level, sentence and facts', () => {
    const line = JSON.stringify({
      level: 40,
      time: Date.UTC(2026, 0, 2),
      pid: 1,
      msg: 'a set is dirty',
      set: 'sk-v4-t.web',
      n: 2,
    });
    expect(formatLogLine(line, plain)).toMatch(/^\d\d:\d\d:\d\d agent {3}warn {2}a set is dirty set=sk-v4-t\.web n=2$/);
  });

  it('shows what is no record as it is', () => {
    expect(formatLogLine('Error: lost', plain)).toBe('         agent         Error: lost');
    expect(formatLogLine('{"half":', plain)).toContain('{"half":');
  });

  it('shows the stack of an error below its sentence', () => {
    const line = JSON.stringify({ level: 50, time: 0, msg: 'failed', err: { message: 'm', stack: 'Error: m\n at x' } });
    expect(formatLogLine(line, plain).split('\n').slice(1)).toEqual(['    Error: m', '     at x']);
  });

  it('lets no control or bidi character through to the terminal', () => {
    const hostile = JSON.stringify({ level: 30, time: 0, msg: 'a\u001b[2Jb\u202ec', set: 'x\u0007' });
    for (const character of ['\u001b', '\u0007', '\u202e'])
      expect(formatLogLine(hostile, plain)).not.toContain(character);
    expect(formatLogLine('raw\u001b[2J', plain)).not.toContain('\u001b');
  });

  it('colours only where asked', () => {
    const line = JSON.stringify({ level: 30, time: 0, msg: 'x' });
    expect(formatLogLine(line, { speaker: 'agent', isColoured: true })).toContain('\u001b[36magent');
  });

  it('cuts a fact that would fill the screen', () => {
    const line = JSON.stringify({ level: 30, time: 0, msg: 'x', list: 'y'.repeat(5000) });
    expect(formatLogLine(line, plain).length).toBeLessThan(500);
  });
});
