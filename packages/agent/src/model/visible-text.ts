/** Text of a model made fit for one line of a message: what cannot be seen is written as an escape, and it is cut at `lengthMax`. */
export function visibleText(text: string, lengthMax = 300): string {
  const cut = text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
  return INVISIBLE.test(cut) ? cut.replace(EACH_INVISIBLE, escaped) : cut;
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const EACH_INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

const escaped = (character: string): string =>
  character === '\n' ? '\\n' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
