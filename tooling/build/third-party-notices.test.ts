import { expect, it } from 'vitest';
import { type BillOfMaterials, thirdPartyNotices } from './third-party-notices.ts';

const text = (words: string) => ({
  license: { name: 'file: LICENSE', text: { content: Buffer.from(words).toString('base64'), encoding: 'base64' } },
});

const bill: BillOfMaterials = {
  components: [
    {
      name: 'yaml',
      version: '2.0.0',
      licenses: [{ license: { id: 'ISC' } }],
      evidence: { licenses: [text('Copyright Y\n'), text('Notice of Y')] },
    },
    { group: '@setkeeper', name: 'api', version: '0.1.0', licenses: [{ license: { id: 'Apache-2.0' } }] },
    { group: '@a', name: 'b', version: '1.0.0', licenses: [{ expression: '(MIT OR CC0-1.0)' }] },
  ],
};

it('names each package of others with its licenses and their texts, and none of our own', () => {
  const notices = thirdPartyNotices('the agent', bill);
  expect(notices).toContain('the agent contains 2 packages of others');
  expect(notices).toContain('@a/b 1.0.0\nLicense: (MIT OR CC0-1.0)\n\nThe package carries no text of its license.\n');
  expect(notices).toContain('yaml 2.0.0\nLicense: ISC\n\nCopyright Y\nNotice of Y\n');
  expect(notices.indexOf('@a/b')).toBeLessThan(notices.indexOf('yaml'));
  expect(notices).not.toContain('setkeeper');
});
