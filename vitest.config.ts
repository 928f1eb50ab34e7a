import { configDefaults, defineConfig } from 'vitest/config';
import { longestFirst } from './packages/testing/src/longest-first.ts';

export default defineConfig({
  test: {
    // The web has its own configuration; the benchmarks and the browser tests have their own commands.
    include: ['{packages,services,examples}/*/{src,test}/**/*.test.ts', '{bench,scripts}/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.{engines,fuzz}.test.ts'],
    globalSetup: ['packages/testing/src/global-setup.ts'],
    pool: 'forks',
    // With V8's usual young generation a tenth of the time goes into emptying it.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // The files that run in one process share its loaded modules: loading them took a quarter of the time.
    isolate: false,
    setupFiles: ['packages/testing/src/clean-file.ts'],
    maxWorkers: 3,
    sequence: {
      sequencer: longestFirst([
        'embedded/test/lifecycle.test.ts',
        'embedded/test/bad-input.test.ts',
        'embedded/test/crash.test.ts',
        'embedded/test/upload-crash.test.ts',
        'embedded/test/events-command.test.ts',
        'database/test/embedded-postgres.test.ts',
        'lease-queue/crash.test.ts',
        'messaging/test/crash.test.ts',
      ]),
    },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    // The message of a failure is all that is kept of some runs.
    chaiConfig: { truncateThreshold: 2_000 },
  },
});
