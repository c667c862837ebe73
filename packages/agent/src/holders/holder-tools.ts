import type { ChildExit } from '../launcher/launcher-client.ts';
import type { HolderQuestion } from './holder-question.ts';

/**
 * How a tool answered. `not-needed`: the kernel has nothing for it to print (no legacy tables in this namespace).
 * `hidden`: what it reads is there and may not be read, so it would print nothing and end well.
 */
export type ToolAnswer =
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-needed' }
  | { readonly kind: 'hidden'; readonly why: string }
  | { readonly kind: 'unspeakable' }
  | { readonly kind: 'ran'; readonly exit: ChildExit; readonly stderr: string };

/** Runs the reading tools that holders are found with. Never rejects. */
export interface HolderTools {
  ask(question: HolderQuestion, onStdout: (chunk: Uint8Array) => void): Promise<ToolAnswer>;
}
