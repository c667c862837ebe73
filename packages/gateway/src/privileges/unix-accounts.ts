import { readFileSync } from 'node:fs';

/** An account of this machine. */
export interface UnixUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The first of these users that exists. Read from /etc/passwd: a system user is never anywhere else. */
export function findUser(names: readonly string[], passwd: string = read('/etc/passwd')): UnixUser | undefined {
  for (const name of names) {
    const fields = entry(passwd, name);
    if (fields !== undefined) return { name, uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  return undefined;
}

/** The id of a group, if it exists. */
export function findGroup(name: string, group: string = read('/etc/group')): number | undefined {
  const fields = entry(group, name);
  return fields === undefined ? undefined : Number(fields[2]);
}

const entry = (text: string, name: string): string[] | undefined =>
  text
    .split('\n')
    .map((line) => line.split(':'))
    .find(([first, , id]) => first === name && /^[0-9]+$/u.test(id ?? ''));

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
