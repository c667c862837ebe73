const plainAscii = /^[\x20-\x7e]*$/u;
const combining = /^\p{M}$/u;
/** Wide and fullwidth characters (Unicode Standard Annex 11), by the blocks that text is written in, and emoji. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}$/u;

/** How many columns of a terminal a harmless text takes. Cost: O(length), and next to nothing for plain ASCII. */
export function displayWidth(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text in at most so many columns; what does not fit is cut off, with an ellipsis in its place. */
export function cutToWidth(text: string, widthMax: number): string {
  if (displayWidth(text) <= widthMax) return text;
  let width = 0;
  let cut = '';
  for (const character of text) {
    width += characterWidth(character);
    if (width > widthMax - 1) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

const characterWidth = (character: string): number => (combining.test(character) ? 0 : wide.test(character) ? 2 : 1);
