/**
 * Controls, formatting characters (bidi overrides and isolates, zero-width ones, tags), line and paragraph separators,
 * lone surrogates, and private-use characters: everything that can move a terminal's cursor, recolour it, hide text or
 * turn its order around.
 */
const harmful = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

const shorthand: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text of a model, an operator or the kernel as a terminal may show it: what could act on the terminal is shown as an
 * escape (`\x1b`, `\u{202e}`), everything else as itself. One line in, one line out.
 */
export function harmless(text: string): string {
  return text.replace(harmful, (character) => {
    const known = shorthand[character];
    if (known !== undefined) return known;
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** The same for text of several lines: line feeds stay. */
export const harmlessLines = (text: string): string => text.split('\n').map(harmless).join('\n');
