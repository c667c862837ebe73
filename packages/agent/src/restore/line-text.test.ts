import { desiredHeader, type ManagedType, type Member, type SetName } from '@setkeeper/ipset';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Section } from '../plan/plan.ts';
import { lineText } from './line-text.ts';
import { ScriptLines } from './script-lines.ts';

function addOf(type: ManagedType, member: string) {
  const set = 's' as SetName;
  const section: Section = {
    group: null,
    family: type === 'list:set' ? null : 'inet',
    set,
    how: 'delta',
    header: desiredHeader({ name: set, type, family: type === 'list:set' ? null : 'inet', maxelem: 10, members: 0 }),
    temp: null,
    createMain: false,
    dels: [],
    adds: [member as Member],
    before: 0,
    after: 1,
  };
  return lineText(new ScriptLines({ sections: [section] }).at(1));
}

describe('the text of a line', () => {
  it('is one line of plain words, whatever a member claims to be', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom('-f', '-exist', '1.2.3.4\ndestroy s', '1.2.3.4 -exist', '"', 'a b', 'x;y', '-', 'quit'),
    );
    fc.assert(
      fc.property(
        hostile,
        fc.constantFrom<ManagedType>('hash:ip', 'hash:net', 'hash:ip,port', 'list:set'),
        (member, type) => {
          const line = addOf(type, member);
          if (line.ok) expect(line.text).toMatch(/^add s [A-Za-z0-9_.:/,-]+( nomatch)?$/);
          if (line.ok) expect(line.text).not.toMatch(/ -/);
        },
      ),
    );
  });

  it('is never a name that ipset would look up', () => {
    for (const member of ['localhost', 'example.org', '192.0.513', '3221225986', '192.0.2.010', 'dead.beef']) {
      expect(addOf('hash:ip', member), member).toMatchObject({ ok: false });
      expect(addOf('hash:net', member), member).toMatchObject({ ok: false });
    }
    expect(addOf('list:set', 'localhost')).toEqual({ ok: true, text: 'add s localhost' });
  });

  it('is what renderOperation makes', () => {
    expect(addOf('hash:ip,port', '192.0.2.1,tcp:80')).toEqual({ ok: true, text: 'add s 192.0.2.1,6:80' });
    expect(addOf('hash:net', '10.0.0.0/8 nomatch')).toEqual({ ok: true, text: 'add s 10.0.0.0/8 nomatch' });
    expect(addOf('hash:ip', '2001:db8::1')).toEqual({ ok: true, text: 'add s 2001:db8::1' });
  });
});
