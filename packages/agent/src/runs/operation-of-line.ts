import { describeOperation, type Member, type Operation, parseSetHeader, type SetName } from '@setkeeper/ipset';

/** The operation that an archived line of one of our own scripts was rendered from; null for text that is none of ours. */
export function operationOfLine(line: string): Operation | null {
  const [op, first, second, ...rest] = line.split(' ');
  if (first === undefined) return null;
  // A script in the archive was rendered by us: its words were checked then.
  const set = first as SetName;
  switch (op) {
    case 'create':
      return second === undefined ? null : { op, set, header: parseSetHeader(set, second, rest.join(' ')) };
    case 'add':
    case 'del':
      return second === undefined ? null : { op, set, member: [second, ...rest].join(' ') as Member };
    case 'swap':
      return second === undefined ? null : { op, from: set, to: second as SetName };
    case 'destroy':
      return { op, set };
    default:
      return null;
  }
}

/** What an archived line means, for people. */
export function meaningOfLine(line: string): string {
  const operation = operationOfLine(line);
  return operation === null ? '' : describeOperation(operation);
}
