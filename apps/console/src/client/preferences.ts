'use client';

import { useCallback, useSyncExternalStore } from 'react';

/** What an operator chose for this browser; nothing of it is about the host. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'compact' | 'comfortable';
  readonly clock: 'utc' | 'local';
  readonly singleKeys: 'on' | 'off';
}

const fallback: Preferences = { theme: 'system', density: 'compact', clock: 'utc', singleKeys: 'on' };
const allowed: { readonly [Key in keyof Preferences]: readonly Preferences[Key][] } = {
  theme: ['system', 'light', 'dark'],
  density: ['compact', 'comfortable'],
  clock: ['utc', 'local'],
  singleKeys: ['on', 'off'],
};
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Reads what is stored under a key; a browser that keeps nothing answers null. */
export function readStored(key: string): string | null {
  try {
    return window.localStorage.getItem(`setkeeper.${key}`);
  } catch {
    return null;
  }
}

/** Keeps a text under a key and tells every follower; where the browser refuses, the choice lasts for the page. */
export function writeStored(key: string, value: string): void {
  try {
    window.localStorage.setItem(`setkeeper.${key}`, value);
  } catch {
    unkept.set(key, value);
  }
  tell();
}

const unkept = new Map<string, string>();

/** Follows a stored text. */
export function useStored(key: string): string | null {
  return useSyncExternalStore(
    subscribe,
    () => readStored(key) ?? unkept.get(key) ?? null,
    () => null,
  );
}

/** One preference and how to change it. */
export function usePreference<Key extends keyof Preferences>(
  key: Key,
): readonly [Preferences[Key], (value: Preferences[Key]) => void] {
  const stored = useStored(key);
  const value = allowed[key].find((choice) => choice === stored) ?? fallback[key];
  const set = useCallback((next: Preferences[Key]) => writeStored(key, next), [key]);
  return [value, set];
}

/** A preference outside React, for key handlers. */
export function readPreference<Key extends keyof Preferences>(key: Key): Preferences[Key] {
  const stored = readStored(key) ?? unkept.get(key) ?? null;
  return allowed[key].find((choice) => choice === stored) ?? fallback[key];
}
