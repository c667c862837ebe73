import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord } from './command-line.tsx';

describe('shellWord', () => {
  it('means exactly its text to a shell, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 40 }).filter((text) => !text.includes('\0')),
        (text) => {
          expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leaves a plain word plain', () => {
    expect(shellWord('tag:web')).toBe('tag:web');
    expect(shellWord('tag:a b')).toBe("'tag:a b'");
  });
});
