'use client';

import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';

/** Puts text on the clipboard; where the browser has none (plain HTTP), by a selection. Says whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    const place = document.querySelector('dialog[open]') ?? document.body;
    place.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}

/** Copies a text; `what` names it for people. With `label` it is a button with words. */
export function CopyButton({
  text,
  what,
  label,
}: {
  readonly text: string | (() => string);
  readonly what: string;
  readonly label?: string;
}): ReactNode {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1_600);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(typeof text === 'string' ? text : text())) ? 'copied' : 'failed');
  const icon =
    state === 'copied' ? <Check aria-hidden className="size-3.5 text-ok" /> : <Copy aria-hidden className="size-3.5" />;
  const said = (
    <span aria-live="polite" className="sr-only">
      {state === 'copied' ? `${what} copied` : state === 'failed' ? `${what} could not be copied` : ''}
    </span>
  );
  if (label === undefined) {
    return (
      <>
        <IconButton label={`Copy ${what}`} onClick={() => void copy()} className="!h-6 !w-6">
          {icon}
        </IconButton>
        {said}
      </>
    );
  }
  return (
    <>
      <Button isSmall onClick={() => void copy()} title={`Copy ${what}`}>
        {icon}
        {label}
      </Button>
      {said}
    </>
  );
}
