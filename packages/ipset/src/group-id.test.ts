import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkId, parseGroupId } from './group-id.ts';

describe('parseGroupId', () => {
  it('takes each kind apart', () => {
    expect(parseGroupId('tag:web')).toEqual({ ok: true, id: 'tag:web', kind: 'tag', name: 'web' });
    expect(parseGroupId('net:corp')).toEqual({ ok: true, id: 'net:corp', kind: 'net', name: 'corp' });
    expect(parseGroupId('list:trusted')).toEqual({ ok: true, id: 'list:trusted', kind: 'list', name: 'trusted' });
    expect(parseGroupId('hosts:all')).toEqual({ ok: true, id: 'hosts:all', kind: 'hosts', name: 'all' });
  });

  it('splits a port group at the last slash, since a tag may hold slashes and colons', () => {
    expect(parseGroupId('port:team/a:web/http')).toEqual({
      ok: true,
      id: 'port:team/a:web/http',
      kind: 'port',
      name: 'team/a:web/http',
      tag: 'team/a:web',
      port: 'http',
    });
  });

  it.each(['', 'web', 'tag:', 'Tag:web', 'port:web', 'port:/http', 'port:web/', 'port:web/a b', 'hosts:some', 'x:y'])(
    'gives a reason against %j',
    (text) => {
      const parsed = parseGroupId(text);
      expect(parsed.ok).toBe(false);
      if (!parsed.ok) expect(parsed.reason).not.toBe('');
    },
  );

  it('keeps names that look like something else as plain data', () => {
    for (const name of ['__proto__', '<script>', 'constructor', 'a b', 'größe']) {
      expect(parseGroupId(`tag:${name}`)).toMatchObject({ ok: true, name });
    }
  });

  it('never throws, and gives back the text as the id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parsed = parseGroupId(text);
        if (parsed.ok) expect(parsed.id).toBe(text);
      }),
    );
  });
});

describe('checkId', () => {
  it.each(['a', 'node-a/k8s/shop.cart-1/eth0', 'größe', '日本', 'a'.repeat(253), 'ü'.repeat(126)])(
    'accepts %j',
    (id) => {
      expect(checkId(id)).toBeUndefined();
    },
  );

  it.each([
    ['', 'is empty'],
    ['a'.repeat(254), 'is longer than 253 bytes'],
    ['ü'.repeat(127), 'is longer than 253 bytes'],
    ['a\nb', 'holds a control character'],
    ['a\u0000', 'holds a control character'],
    ['a\u0085b', 'holds a control character'],
    ['a\u202eb', 'holds a bidirectional formatting character'],
    ['a\u2066b', 'holds a bidirectional formatting character'],
    ['a\u2028b', 'holds a line separator'],
    ['a\u2029b', 'holds a line separator'],
    ['\ud800', 'is not valid UTF-8 (a lone surrogate)'],
    ['e\u0301', 'is not in Unicode normal form C (NFC)'],
  ])('says of %j that it %s', (id, reason) => {
    expect(checkId(id)).toBe(reason);
  });
});
