import { defineConfig } from 'vitest/config';
import { longestFirst } from './packages/testing/src/longest-first.ts';

/** Each breaks servers and mostly waits for what then happens: files that work all the time would take the time that it measures. */
const faults = [
  'packages/messaging/test/kafka-faults.engines.test.ts',
  'e2e/distributed/faults.engines.test.ts',
];
const others = [
  'packages/*/test/**/*.engines.test.ts',
  'services/*/test/**/*.engines.test.ts',
  'e2e/{browsers,distributed,providers}/*.engines.test.ts',
];

const common = {
  pool: 'forks',
  testTimeout: 120_000,
  // The first time on a machine, starting an engine includes getting its program.
  hookTimeout: 600_000,
  expect: { poll: { timeout: 15_000 } },
} as const;

/** Tests on real engines, each file with its own. */
export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/global-setup.ts'],
    sequence: {
      sequencer: longestFirst([
        'browsers/journeys.engines.test.ts',
        'embedded/test/openapi.engines.test.ts',
        'providers/sign-up.engines.test.ts',
        'distributed/instances.engines.test.ts',
      ]),
    },
    projects: [
      {
        test: {
          ...common,
          name: 'two at a time',
          include: others,
          exclude: faults,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: { ...common, name: 'faults', include: faults, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
