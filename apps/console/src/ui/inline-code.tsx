import type { ReactNode } from 'react';

/** A sentence with `code` between backticks in it. */
export function InlineCode({ text }: { readonly text: string }): ReactNode {
  return text.split(/(`[^`]+`)/u).map((part, index) => {
    const key = `${index} ${part}`;
    return part.startsWith('`') ? (
      <code key={key} className="rounded bg-sunken px-1 text-[0.9em] text-ink">
        {part.slice(1, -1)}
      </code>
    ) : (
      <span key={key}>{part}</span>
    );
  });
}
