import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { errorSections } from './error-sections.ts';

describe('errorSections', () => {
  it('reads every code of docs/errors.md once', async () => {
    const chapters = errorSections(await readFile(new URL('../../../../../docs/errors.md', import.meta.url), 'utf8'));
    const codes = chapters.flatMap((chapter) => chapter.sections.map((section) => section.code));
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of ['digest-stale', 'change-held', 'over-capacity', 'full']) expect(codes).toContain(code);
  });

  it('takes headings without a code for text', () => {
    expect(errorSections('# T\n\n## 1. Refusals\n\n### `a`\nOne.\n\nTwo.\n')).toEqual([
      { title: 'Refusals', sections: [{ code: 'a', text: 'One.\n\nTwo.' }] },
    ]);
  });
});
