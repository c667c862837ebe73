/** `tag:web`, `port:web/http`, `net:corp`, `list:trusted`, `hosts:all`: the model's name of a group. */
export type GroupId = string & { readonly __brand: 'GroupId' };

export type GroupKind = 'tag' | 'port' | 'net' | 'list' | 'hosts';

/** A group id taken apart, or why it is none. `tag` and `port` are there for kind `port` alone. */
export type ParsedGroupId =
  | {
      readonly ok: true;
      readonly id: GroupId;
      readonly kind: GroupKind;
      readonly name: string;
      readonly tag?: string;
      readonly port?: string;
    }
  | { readonly ok: false; readonly reason: string };

export function parseGroupId(_text: string): ParsedGroupId {
  throw new Error('not written yet');
}

export function checkId(_text: string): string | undefined {
  throw new Error('not written yet');
}
