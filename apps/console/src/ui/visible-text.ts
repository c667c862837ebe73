/** Characters that would hide, reorder or fake text: controls, line separators, bidi marks, zero-width ones, tags. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Text from a model, an operator or the kernel, with what cannot be seen written as `\u{...}`; it always shows as itself. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
