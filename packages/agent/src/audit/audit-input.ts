/** Kept of one act's input, in characters; and of one text inside it. */
const INPUT_CHARACTERS_MAX = 8_192;
const TEXT_CHARACTERS_MAX = 1_024;

/** Keys whose values are never written down, whatever the verb. */
const SECRET = /password|passphrase|secret|token|authorization|cookie|credential|privateKey/iu;

/** The input of an act as the audit keeps it: JSON, without secrets, long texts cut with their length beside them. */
export function auditInput(input: unknown): string {
  const json = JSON.stringify(input ?? null, (key, value: unknown) => {
    if (SECRET.test(key)) return '(not recorded)';
    if (typeof value === 'string' && value.length > TEXT_CHARACTERS_MAX)
      return `${value.slice(0, TEXT_CHARACTERS_MAX)}... (${value.length} characters)`;
    return value;
  });
  if (json.length <= INPUT_CHARACTERS_MAX) return json;
  return JSON.stringify(`${json.slice(0, INPUT_CHARACTERS_MAX)}... (${json.length} characters)`);
}
