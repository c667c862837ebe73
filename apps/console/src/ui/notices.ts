import { createStore } from '../client/store.ts';
import type { Tone } from './tone.ts';

/** A short word about something that ended. */
export interface Notice {
  readonly id: number;
  readonly tone: Tone;
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string };
}

/** What the corner of the screen says now, newest last. */
export const notices = createStore<readonly Notice[]>([]);

let nextId = 1;
const noticesMax = 4;

/** Says something in the corner; only the newest four stay. */
export function notify(notice: Omit<Notice, 'id'>): void {
  const id = nextId;
  nextId += 1;
  notices.set((now) => [...now.slice(1 - noticesMax), { ...notice, id }]);
}

/** Takes a notice away. */
export function dismiss(id: number): void {
  notices.set((now) => now.filter((notice) => notice.id !== id));
}
