/** One code and what is written about it. */
export interface CodeSection {
  readonly code: string;
  readonly text: string;
}

/** Codes of one kind. */
export interface CodeChapter {
  readonly title: string;
  readonly sections: readonly CodeSection[];
}

/**
 * Reads the chapters (`## 1. Refusals`) and sections (`### code`) of `docs/errors.md`. A code that appears twice keeps
 * its first place, so that an address with `#code` leads to one.
 */
export function errorSections(markdown: string): readonly CodeChapter[] {
  const seen = new Set<string>();
  return markdown
    .split(/^## /mu)
    .slice(1)
    .map((chapter) => {
      const [heading = '', ...rest] = chapter.split('\n');
      const sections = rest
        .join('\n')
        .split(/^### /mu)
        .slice(1)
        .flatMap((section): CodeSection[] => {
          const [code = '', ...lines] = section.split('\n');
          const name = code.replaceAll('`', '').trim();
          if (seen.has(name)) return [];
          seen.add(name);
          return [{ code: name, text: lines.join('\n').trim() }];
        });
      return { title: heading.replace(/^\d+\.\s*/u, '').trim(), sections };
    })
    .filter((chapter) => chapter.sections.length > 0);
}
