import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Verbatim } from './verbatim.tsx';

/** A command to copy: the CLI's word for what a screen does, or what removes a holder. */
export function CommandLine({
  command,
  what = 'command',
}: {
  readonly command: string;
  readonly what?: string;
}): ReactNode {
  return (
    <span className="inline-flex max-w-full items-center gap-1 rounded-md border border-line bg-sunken py-0.5 pr-0.5 pl-2">
      <span aria-hidden className="text-ink-3 select-none">
        $
      </span>
      <Verbatim text={command} wraps className="min-w-0 text-xs" />
      <CopyButton text={command} what={what} />
    </span>
  );
}

const plainWord = /^[A-Za-z0-9_@%+=:,./-]+$/u;

/** A word quoted for a POSIX shell, so that a copied command means exactly what it says. */
export function shellWord(word: string): string {
  return plainWord.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
