import { defineConfig } from 'vitest/config';

const outside = ['**/node_modules/**', '**/dist/**', '**/out/**', '**/.next/**'];

/**
 * Two projects. `unit` is pure and runs anywhere in seconds; `kernel` programs real ipsets in network namespaces it
 * makes itself, so it needs root, and its files run one after the other: the kernel's ipset lock is one for all
 * namespaces, and files side by side would only disturb each other.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.{ts,tsx}',
            'tooling/**/*.test.ts',
            'bench/src/**/*.test.ts',
          ],
          exclude: [...outside, '**/*.kernel.test.ts'],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'kernel',
          include: ['packages/*/src/**/*.kernel.test.ts', 'tooling/**/*.kernel.test.ts'],
          exclude: outside,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
