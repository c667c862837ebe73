import type { SetHeader } from './header.ts';
import { isNomatch, memberKey } from './member.ts';
import type { Operation } from './operation.ts';

/** What an operation means, as one sentence for a person who knows firewalls but not ipset's command line. */
export function describeOperation(operation: Operation): string {
  switch (operation.op) {
    case 'create':
      return `Create the set ${operation.set}: ${describeHeader(operation.header)}.`;
    case 'add':
      return isNomatch(operation.member)
        ? `Add the exception ${memberKey(operation.member)} (nomatch) to ${operation.set}.`
        : `Add ${operation.member} to ${operation.set}.`;
    case 'del':
      return `Take ${memberKey(operation.member)} out of ${operation.set}.`;
    case 'swap':
      return `Swap ${operation.from} and ${operation.to}: rules that name one see the other's content at once.`;
    case 'destroy':
      return `Destroy the set ${operation.set}; the kernel refuses this while anything uses it.`;
  }
}

function describeHeader(header: SetHeader): string {
  if (header.type === 'list:set') return 'a list of sets';
  const family = header.family === 'inet6' ? 'IPv6' : 'IPv4';
  const room = header.maxelem === null ? '' : `, room for ${header.maxelem.toLocaleString('en-US')} members`;
  return `${header.type}, ${family}${room}`;
}
