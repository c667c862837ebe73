import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { errorSections } from '../../features/glossary/error-sections.ts';
import { GlossaryPage } from '../../features/glossary/glossary-page.tsx';

export const metadata: Metadata = { title: 'Glossary' };

/** `/glossary/`: the words, and every code with what `docs/errors.md` says of it at the time of the build. */
export default async function Page(): Promise<ReactNode> {
  const markdown = await readFile(join(process.cwd(), '../../docs/errors.md'), 'utf8');
  return <GlossaryPage chapters={errorSections(markdown)} />;
}
