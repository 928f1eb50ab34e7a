import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The web has its own configuration; the benchmarks and the browser tests have their own commands.
    include: ['{packages,services,examples}/*/{src,test}/**/*.test.ts', '{bench,scripts}/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.{engines,fuzz}.test.ts'],
    globalSetup: ['packages/testing/src/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
