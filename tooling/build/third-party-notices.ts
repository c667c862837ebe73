/** The part of a CycloneDX bill of materials that notices are made of. */
export interface BillOfMaterials {
  readonly components?: readonly Component[];
}

/** A package that went into a bundle. */
export interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version?: string;
  readonly licenses?: readonly License[];
  /** The texts that were found in the package. */
  readonly evidence?: { readonly licenses?: readonly License[] };
}

interface License {
  readonly expression?: string;
  readonly license?: {
    readonly id?: string;
    readonly name?: string;
    readonly text?: { readonly content: string; readonly encoding?: string };
  };
}

const OWN_GROUP = '@setkeeper';
const RULE = '-'.repeat(80);

/** The packages of others in a bundle, in the order of their names. */
export function thirdParties(bill: BillOfMaterials): readonly Component[] {
  return (bill.components ?? [])
    .filter(({ group }) => group !== OWN_GROUP)
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** `name` or `@group/name`. */
export const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`);

/** The licenses that a package declares, as SPDX identifiers or in its own words. */
export function declaredLicenses({ licenses = [] }: Component): readonly string[] {
  return licenses.flatMap(({ expression, license }) => expression ?? license?.id ?? license?.name ?? []);
}

/** The texts of its licenses and notices. Empty where the package carries none. */
export function licenseTexts({ evidence }: Component): readonly string[] {
  return (evidence?.licenses ?? []).flatMap(({ license }) => {
    if (license?.text === undefined) return [];
    const { content, encoding } = license.text;
    return [(encoding === 'base64' ? Buffer.from(content, 'base64').toString('utf8') : content).trim()];
  });
}

/** What a program must be given away with: each package of others that is in it, with the texts of its licenses. */
export function thirdPartyNotices(program: string, bill: BillOfMaterials): string {
  const parties = thirdParties(bill);
  const sections = parties.map((party) => {
    const declared = declaredLicenses(party).join(', ') || 'no license declared';
    const texts = licenseTexts(party);
    return [
      RULE,
      `${nameOf(party)} ${party.version ?? ''}`.trim(),
      `License: ${declared}`,
      '',
      ...(texts.length > 0 ? texts : ['The package carries no text of its license.']),
      '',
    ].join('\n');
  });
  return [
    `Third-party software in ${program}`,
    '',
    `${program} contains ${parties.length} packages of others, under the licenses below.`,
    '',
    ...sections,
  ].join('\n');
}
