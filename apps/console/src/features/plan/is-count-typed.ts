/** Whether the typed text is that number; separators are allowed. */
export function isCountTyped(typed: string, expected: number): boolean {
  return typed.replaceAll(/[\s,.]/gu, '') === String(expected);
}
