import { defineConfig } from 'vitest/config';

/** Tests on real engines, each file with its own; one file at a time, for an engine wants a core for itself. */
export default defineConfig({
  test: {
    include: [
      'packages/*/test/**/*.engines.test.ts',
      'services/*/test/**/*.engines.test.ts',
      'examples/*/*.engines.test.ts',
      'e2e/{browsers,distributed,providers}/*.engines.test.ts',
    ],
    globalSetup: ['packages/testing/src/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    // The first time on a machine, starting an engine includes getting its program.
    hookTimeout: 600_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
