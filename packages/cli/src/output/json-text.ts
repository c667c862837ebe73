/** What JSON leaves as it is but a terminal may act on: DEL and C1 controls, formatting characters, separators, private use. */
const harmful = /[\u007f-\u009f]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/**
 * A value as JSON that is safe to print: the same value for every reader, with what could act on a terminal written as
 * `\uXXXX`. `indent` 0 is one line.
 */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(harmful, (character) => {
    let escaped = '';
    for (let at = 0; at < character.length; at += 1)
      escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
    return escaped;
  });
}
