/** How long a password is, in characters. Long passwords are cheap to choose and costly to guess. */
export const passwordLength = { min: 12, max: 128 } as const;

/** Why a password is not good enough for a user of this name; undefined for a good one. */
export function passwordFault(password: string, name: string): string | undefined {
  const length = [...password].length;
  if (length < passwordLength.min) return `a password has at least ${passwordLength.min} characters`;
  if (password.length > passwordLength.max) return `a password has at most ${passwordLength.max} characters`;
  if (new Set(password).size < 5) return 'this password repeats too few characters';
  if (name.length >= 3 && password.toLowerCase().includes(name.toLowerCase()))
    return 'a password does not contain the name';
  return undefined;
}
