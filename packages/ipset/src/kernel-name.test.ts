import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAMILIES } from './family.ts';
import type { GroupId } from './group-id.ts';
import { acknowledgementName, kernelName, setTypeOf, temporaryName } from './kernel-name.ts';
import { ownershipOf } from './ownership.ts';
import { isWritableSetName } from './set-name.ts';

const id = (text: string) => text as GroupId;

describe('kernelName', () => {
  it.each([
    ['tag:web', 'inet', 'sk-v4-t.web'],
    ['tag:web', 'inet6', 'sk-v6-t.web'],
    ['net:corp', 'inet', 'sk-v4-n.corp'],
    ['hosts:all', 'inet6', 'sk-v6-h.all'],
    ['list:trusted', null, 'sk-l.trusted'],
    [`tag:${'x'.repeat(60)}`, 'inet', 'sk-v4-t._454m7n7rxhbxwbzyz6v2hu'],
    ['port:web/http', 'inet', 'sk-v4-p._53nuah127fk0xk8o307kok'],
  ] as const)('names %s in %s', (group, family, name) => {
    expect(kernelName('sk-', id(group), family)).toBe(name);
  });

  it('uses the digest for a name that does not fit, has other characters, or could be taken for a digest', () => {
    const fits = 'x'.repeat(31 - 'sk-v4-t.'.length);
    expect(kernelName('sk-', id(`tag:${fits}`), 'inet')).toBe(`sk-v4-t.${fits}`);
    for (const name of [`${fits}x`, 'a b', 'a/b', 'ü', '_web', '$(id)']) {
      expect(kernelName('sk-', id(`tag:${name}`), 'inet')).toMatch(/^sk-v4-t\._[0-9a-z]{22}$/);
    }
  });

  it('gives two groups one name when their digests meet, for the caller to refuse', () => {
    const same = () => new Uint8Array(32).fill(7);
    expect(kernelName('sk-', id('port:a/b'), 'inet', same)).toBe(kernelName('sk-', id('port:c/d'), 'inet', same));
    expect(kernelName('sk-', id('port:a/b'), 'inet')).not.toBe(kernelName('sk-', id('port:c/d'), 'inet'));
  });

  it('is writable, fits, and is ours by form, for every group and every prefix', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== '');
    const prefix = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,7}$/);
    const kind = fc.constantFrom('tag', 'net', 'list');
    fc.assert(
      fc.property(prefix, kind, name, fc.constantFrom(...FAMILIES), (start, groupKind, text, family) => {
        const normal = text.normalize('NFC').replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, 'x');
        const set = kernelName(start, id(`${groupKind}:${normal}`), groupKind === 'list' ? null : family);
        expect(isWritableSetName(set)).toBe(true);
        expect(ownershipOf(set, { prefix: start, formerPrefixes: [] }).ownership).toBe('managed-form');
      }),
    );
  });

  it('takes a family that the kind has not for a bug', () => {
    expect(() => kernelName('sk-', id('list:a'), 'inet')).toThrow('a list has no family');
    expect(() => kernelName('sk-', id('tag:a'), null)).toThrow('one set a family');
    expect(() => kernelName('sk-', id('nonsense'), 'inet')).toThrow('not a group id');
  });
});

it('makes names for temporary and acknowledgement sets, and refuses those that do not fit', () => {
  expect(temporaryName('sk-', '4f2a-1')).toBe('sk-tmp-4f2a-1');
  expect(acknowledgementName('sk-', '4f2a')).toBe('sk-ack-4f2a');
  expect(() => temporaryName('sk-', 'x'.repeat(25))).toThrow('not a name that may be written');
  expect(() => acknowledgementName('sk-', 'a b')).toThrow('not a name that may be written');
});

it('knows the type of each kind of group', () => {
  expect(['tag:a', 'hosts:all', 'port:a/b', 'net:a', 'list:a'].map((text) => setTypeOf(id(text)))).toEqual([
    'hash:ip',
    'hash:ip',
    'hash:ip,port',
    'hash:net',
    'list:set',
  ]);
});
