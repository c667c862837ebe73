'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { readPreference } from '../client/preferences.ts';
import { keepHost } from '../ui/keep-host.ts';
import { isTextTarget } from '../ui/text-target.ts';
import { chordMsMax, readStroke } from './key-chords.ts';
import { allScreens } from './screens.ts';

/** Follows page-level keys: the palette on Ctrl-K or ⌘K always, the rest where single letters are on. */
export function useShortcuts(acts: { readonly onPalette: () => void; readonly onHelp: () => void }): void {
  const router = useRouter();
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    let goingSinceMs = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        latest.current.onPalette();
        return;
      }
      if (readPreference('singleKeys') === 'off' || document.querySelector('dialog[open]') !== null) return;
      const isGoing = event.timeStamp - goingSinceMs < chordMsMax;
      const act = readStroke(
        {
          key: event.key,
          hasModifier: event.metaKey || event.ctrlKey || event.altKey,
          isTyping: isTextTarget(event.target),
        },
        isGoing,
      );
      goingSinceMs = act.kind === 'wait' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (act.kind === 'help') latest.current.onHelp();
      else if (act.kind === 'search') focusSearch(latest.current.onPalette);
      else if (act.kind === 'go') {
        const screen = allScreens.find((one) => one.key === act.key);
        if (screen === undefined) return;
        router.push(keepHost(screen.href));
      } else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [router]);
}

function focusSearch(otherwise: () => void): void {
  const box = document.querySelector('[data-main-search]');
  if (box instanceof HTMLInputElement) {
    box.focus();
    box.select();
  } else otherwise();
}
