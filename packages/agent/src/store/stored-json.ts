/** JSON that keeps Maps (an endpoint's ports): `{"$map": [[key, value], ...]}`. Model ids are never object keys, so `$map` cannot be forged by one. */
export const toStoredJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (inner instanceof Map ? { [MAP]: [...inner] } : inner));

/** The value that `toStoredJson` wrote. */
export const fromStoredJson = (text: string): unknown =>
  JSON.parse(text, (_key, inner: unknown) => (isStoredMap(inner) ? new Map(inner[MAP]) : inner));

const MAP = '$map';

function isStoredMap(value: unknown): value is { readonly [MAP]: readonly (readonly [unknown, unknown])[] } {
  return typeof value === 'object' && value !== null && MAP in value && Array.isArray(value[MAP]);
}
