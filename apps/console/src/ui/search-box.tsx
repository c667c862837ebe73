'use client';

import { Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

/** A filter box that tells its text when typing pauses for 200 ms. `/` puts the focus here on a screen's main box. */
export function SearchBox({
  label,
  value,
  onChange,
  placeholder,
  isMain = false,
  hint,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly isMain?: boolean;
  readonly hint?: ReactNode;
}): ReactNode {
  const id = useId();
  const [text, setText] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    if (value !== told.current) {
      told.current = value;
      setText(value);
    }
  }, [value]);
  useEffect(() => {
    if (text === told.current) return;
    const timer = setTimeout(() => {
      told.current = text;
      onChange(text);
    }, 200);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <div className="min-w-0 flex-1 basis-64">
      <div className="relative">
        <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-3" />
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <input
          id={id}
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              told.current = text;
              onChange(text);
            }
          }}
          placeholder={placeholder ?? label}
          data-main-search={isMain ? '' : undefined}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={hint === undefined ? undefined : `${id}-h`}
          className="h-8 w-full rounded-md border border-line-strong bg-surface pr-8 pl-8 text-sm placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
        />
        {text === '' ? null : (
          <button
            type="button"
            aria-label="Clear the filter"
            className="absolute top-1 right-1 grid size-6 place-items-center rounded text-ink-3 hover:text-ink"
            onClick={() => {
              told.current = '';
              setText('');
              onChange('');
            }}
          >
            <X aria-hidden className="size-3.5" />
          </button>
        )}
      </div>
      {hint === undefined ? null : (
        <p id={`${id}-h`} className="mt-1 text-xs text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}
