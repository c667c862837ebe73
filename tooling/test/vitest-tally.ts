import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import type { Skipped, Tally } from './tally.ts';

/**
 * Writes what a Vitest run did to the file named by SETKEEPER_TALLY. A file that could not be loaded and an error that
 * no test caught count as failed tests; a skipped test carries the reason that it gave (`context.skip(reason)`).
 * Vitest loads a reporter by the default export of its file.
 */
export default class VitestTally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly { readonly message?: string }[]): void {
    const path = process.env.SETKEEPER_TALLY;
    if (path !== undefined) writeFileSync(path, JSON.stringify(tallyOf(modules, unhandledErrors)));
  }
}

function tallyOf(modules: readonly TestModule[], unhandled: readonly { readonly message?: string }[]): Tally {
  let passed = 0;
  const failures = unhandled.map(({ message }) => `unhandled: ${message ?? 'error'}`);
  const skipped: Skipped[] = [];
  for (const module of modules) {
    for (const error of module.errors()) failures.push(`${module.relativeModuleId}: ${error.message}`);
    for (const suite of module.children.allSuites()) {
      for (const error of suite.errors())
        failures.push(`${module.relativeModuleId} > ${suite.fullName}: ${error.message}`);
    }
    for (const test of module.children.allTests()) {
      const name = `${module.relativeModuleId} > ${test.fullName}`;
      const result = test.result();
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'failed') failures.push(name);
      else if (result.state === 'pending') failures.push(`${name} (did not end)`);
      else skipped.push({ name, reason: result.note ?? 'no reason given' });
    }
  }
  return { passed, failed: failures.length, skipped, failures };
}
