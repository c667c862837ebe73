/** What an act was asked with, for people: `groups tag:web · reason ticket 4711`; what is no plain object stays as it is. */
export function inputWords(input: string): string {
  const value = parsed(input);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return input;
  return Object.entries(value)
    .map(([name, part]) => `${name} ${partWords(part)}`)
    .join(' · ');
}

function partWords(part: unknown): string {
  if (Array.isArray(part) && part.length > 0 && part.every((one) => typeof one === 'string')) return part.join(', ');
  return typeof part === 'string' && part !== '' ? part : JSON.stringify(part);
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}
