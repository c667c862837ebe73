import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cyclonedxEsbuildPlugin } from '@cyclonedx/cyclonedx-esbuild';
import type { Plugin } from 'esbuild';
import { type BillOfMaterials, thirdPartyNotices } from './third-party-notices.ts';

/** The files of a program's inventory in `folder`. */
export const inventoryFiles = (folder: string, name: string) => ({
  /** CycloneDX, made of the very modules that went into the bundle; the same bundle gives the same bytes. */
  bill: join(folder, `${name}.cdx.json`),
  notices: join(folder, `${name}.notices.txt`),
});

/** Writes down what a bundle is made of: a bill of materials, and the notices of the packages of others in it. */
export function inventory(folder: string, name: string): readonly Plugin[] {
  const { bill, notices } = inventoryFiles(folder, name);
  return [
    cyclonedxEsbuildPlugin({
      specVersion: '1.6',
      outputFile: bill,
      outputReproducible: true,
      gatherLicenseTexts: true,
      validate: true,
      // Warnings are said all the same.
      logLevel: 'silent',
    }),
    {
      name: 'third-party-notices',
      setup: ({ onEnd }) =>
        onEnd(({ errors }) => {
          if (errors.length > 0) return;
          const found = JSON.parse(readFileSync(bill, 'utf8')) as BillOfMaterials;
          writeFileSync(notices, thirdPartyNotices(`setkeeper-${name}`, found));
        }),
    },
  ];
}
