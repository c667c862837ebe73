import { InvalidArgumentError } from 'commander';

/** An option that takes a whole number from `least` on. */
export const countArgument =
  (least: number, most: number = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^[0-9]{1,16}$/u.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
    return value;
  };

/** An option that may be given several times, or hold several values with commas between them. */
export const collectArgument = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  text,
];
