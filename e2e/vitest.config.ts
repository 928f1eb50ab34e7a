import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'browser',
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['support/global-setup.ts'],
    // A browser and a whole product take two cores already.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 90_000,
  },
});
