import { parseGroupId, parseSetName } from '@setkeeper/ipset';
import { listedSets } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { kernelRows, type RowContext } from './kernel-rows.ts';

const web = parseGroupId('tag:web');
const context: RowContext = {
  prefix: 'sk-',
  formerPrefixes: ['felix-'],
  managedGroup: (name) => ((name === 'sk-v4-t.web' || name === 'blacklist') && web.ok ? web.id : undefined),
  isInternal: (name) => name === 'sk-ack-1',
  firewalldSets: new Set(['trusted']),
};

describe('kernelRows', () => {
  it('tells every set of the host by the exact form of its name', () => {
    const names = [
      'sk-v4-t.web',
      'blacklist',
      'sk-v4-t.old',
      'felix-x',
      'sk-tmp-1',
      'sk-ack-1',
      'sk-mine',
      'f2b-ssh',
      'xsk-v4-t.a',
    ];
    const sets = listedSets(...names.map((name) => ({ name })));
    const rows = [...kernelRows({ at: 0, sets, unreadable: [] }, context)];
    expect(rows.map(({ name, owner }) => `${name} ${owner}`)).toEqual([
      'sk-v4-t.web managed',
      'blacklist managed',
      'sk-v4-t.old leftover',
      'felix-x leftover',
      'sk-tmp-1 temporary',
      'sk-ack-1 internal',
      'sk-mine foreign',
      'f2b-ssh foreign',
      'xsk-v4-t.a foreign',
    ]);
    expect(rows[6]).toMatchObject({ prefixShared: true, note: expect.stringContaining('sk-') });
    expect(rows[7]).toMatchObject({ byName: 'fail2ban' });
    expect(rows[0]).toMatchObject({ group: 'tag:web', readable: true });
  });

  it('shows what ipset cannot read as such, never as absent', () => {
    const name = parseSetName('new');
    const unreadable = name === undefined ? [] : [{ name, message: 'revision 9 not supported' }];
    expect([...kernelRows({ at: 0, sets: [], unreadable }, context)]).toMatchObject([
      { name: 'new', readable: false, unreadableWhy: 'revision 9 not supported', references: null },
    ]);
  });

  it('says which ipset firewalld does not filter by, as long as nothing else uses it', () => {
    const [unused, used] = [0, 1].map(
      (references) =>
        [...kernelRows({ at: 0, sets: listedSets({ name: 'trusted', references }), unreadable: [] }, context)][0],
    );
    expect(unused?.note).toContain('enforces nothing');
    expect(used?.note).toBeUndefined();
  });
});
