const plain = new Intl.NumberFormat('en-US');

/** A whole number with separators: `9,310`. */
export function count(value: number): string {
  return plain.format(value);
}

/** A whole number that may be larger than a number holds, from its digits: `118,402`; what is none stays as it is. */
export function grouped(digits: string): string {
  return /^\d+$/u.test(digits) ? plain.format(BigInt(digits)) : digits;
}

/** A number and its noun: `1 set`, `2 sets`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Bytes for people: `12.4 MiB`. */
export function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let rest = value;
  let unit = 0;
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? rest : rest.toFixed(1)} ${units[unit] ?? ''}`;
}
