import { describe, expect, it } from 'vitest';
import { foreignOwnerByName } from './foreign-owner.ts';
import { ownershipOf } from './ownership.ts';

const of = (name: string, formerPrefixes: readonly string[] = []) =>
  ownershipOf(name, { prefix: 'sk-', formerPrefixes });

describe('ownershipOf', () => {
  it.each([
    ['sk-v4-t.web', 'managed-form'],
    ['sk-v6-p._53nuah', 'managed-form'],
    ['sk-v4-n.corp', 'managed-form'],
    ['sk-v6-h.all', 'managed-form'],
    ['sk-l.trusted', 'managed-form'],
    ['sk-tmp-4f2a-1', 'temporary'],
    ['sk-ack-4f2a', 'acknowledgement'],
  ])('knows %s as %s', (name, ownership) => {
    expect(of(name)).toEqual({ ownership, prefixShared: false, writable: true });
  });

  it.each(['sk-something', 'sk-', 'sk-v4-t.', 'sk-v4-x.web', 'sk-v5-t.web', 'sk-v4-tXweb', 'sk-tmp-', 'sk-lXa'])(
    'leaves %s alone, since only its prefix is ours',
    (name) => {
      expect(of(name)).toMatchObject({ ownership: 'foreign', prefixShared: true });
    },
  );

  it.each(['my-sk-v4-t.web', 'sk_v4-t.web', 'SK-v4-t.web', ' sk-v4-t.web', ''])('takes %j for foreign', (name) => {
    expect(of(name)).toMatchObject({ ownership: 'foreign', prefixShared: false });
  });

  it('finds former prefixes at the start of a name alone, with something behind them', () => {
    const former = ['felix-', 'azure-npm-', ''];
    expect(of('azure-npm-123456', former).ownership).toBe('former-prefix');
    expect(of('felix-v4-tag', former).ownership).toBe('former-prefix');
    for (const name of ['azure-npm-', 'my-azure-npm-1', 'not-azure-npm', 'cali-abc123', 'sk-something']) {
      expect(of(name, former).ownership).toBe('foreign');
    }
  });

  it('takes a prefix literally', () => {
    expect(ownershipOf('axv4-t.web', { prefix: 'a.', formerPrefixes: [] }).ownership).toBe('foreign');
    expect(ownershipOf('a.v4-t.web', { prefix: 'a.', formerPrefixes: [] }).ownership).toBe('managed-form');
  });

  it('judges by the longer prefix where a former one is part of the present one', () => {
    const o = { prefix: 'sk-new-', formerPrefixes: ['sk-'] };
    expect(ownershipOf('sk-new-v4-t.a', o).ownership).toBe('managed-form');
    expect(ownershipOf('sk-new-other', o)).toMatchObject({ ownership: 'foreign', prefixShared: true });
    expect(ownershipOf('sk-v4-t.a', o).ownership).toBe('former-prefix');
  });

  it('says that a name of our form which no restore line can hold is not writable', () => {
    expect(of('sk-v4-t.a b')).toEqual({ ownership: 'managed-form', prefixShared: false, writable: false });
  });
});

it('names the tool that a foreign name points to, and none where it points to none', () => {
  expect(foreignOwnerByName('cali40s:WZzrxARe9iGAPn7feWsQ4Hi')).toBe('Calico');
  expect(foreignOwnerByName('KUBE-CLUSTER-IP')).toBe('kube-proxy');
  expect(foreignOwnerByName('KUBE-SRC-ABC')).toBe('kube-router');
  expect(foreignOwnerByName('f2b-sshd')).toBe('fail2ban');
  expect(foreignOwnerByName('crowdsec-blacklists-0')).toBe('CrowdSec');
  expect(foreignOwnerByName('weave-94D4P%N1ac^8#m}i;KwFqXYQu')).toBe('Weave Net');
  expect(foreignOwnerByName('azure-npm-123')).toBe('Azure NPM');
  expect(foreignOwnerByName('blacklist')).toBeUndefined();
  expect(foreignOwnerByName('my-f2b-sshd')).toBeUndefined();
});
