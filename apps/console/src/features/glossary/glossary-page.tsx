import type { ReactNode } from 'react';
import { InlineCode } from '../../ui/inline-code.tsx';
import { Panel, ScreenHead } from '../../ui/panel.tsx';
import type { CodeChapter } from './error-sections.ts';
import { terms } from './terms.ts';

/** The words of Setkeeper, and what is written about each code; all in the page, so the browser's own search finds it. */
export function GlossaryPage({ chapters }: { readonly chapters: readonly CodeChapter[] }): ReactNode {
  return (
    <div className="flex flex-col gap-5">
      <ScreenHead
        title="Glossary"
        lead="One word for one thing: on these pages, on the command line, in the metrics and in the logs."
      />
      <div className="grid gap-5 xl:grid-cols-2">
        {terms.map((chapter) => (
          <Panel key={chapter.title} title={chapter.title}>
            <dl className="flex flex-col gap-2.5">
              {chapter.terms.map((term) => (
                <div key={term.word} id={`term-${term.word.replaceAll(/[^a-z]+/gu, '-')}`}>
                  <dt className="font-semibold">{term.word}</dt>
                  <dd className="max-w-[75ch] text-ink-2">{term.means}</dd>
                </div>
              ))}
            </dl>
          </Panel>
        ))}
      </div>
      {chapters.map((chapter) => (
        <Panel key={chapter.title} title={chapter.title}>
          <dl className="grid gap-x-8 gap-y-3 lg:grid-cols-2">
            {chapter.sections.map((section) => (
              <div
                key={section.code}
                id={section.code}
                className="scroll-mt-16 rounded-md target:bg-accent-tint target:ring-4 target:ring-accent-tint"
              >
                <dt>
                  <a href={`#${section.code}`} className="row-link">
                    <code>{section.code}</code>
                  </a>
                </dt>
                <dd className="max-w-[75ch] text-ink-2">
                  {section.text.split(/\n{2,}/u).map((paragraph) => (
                    <p key={paragraph.slice(0, 60)}>
                      <InlineCode text={paragraph} />
                    </p>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      ))}
    </div>
  );
}
