import { defineConfig } from '@playwright/test';

/**
 * One worker: the real agent programs one kernel, and the machine is shared. `*.mock.spec.ts` run against the invented
 * agent, `*.host.spec.ts` against a real one in a network namespace of its own.
 */
export default defineConfig({
  testDir: './src/tests',
  testMatch: '**/*.spec.ts',
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  outputDir: './test-results',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    video: 'off',
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] },
  },
  projects: [
    { name: 'mock', testMatch: '**/*.mock.spec.ts' },
    { name: 'host', testMatch: '**/*.host.spec.ts', timeout: 60_000, expect: { timeout: 20_000 } },
  ],
});
