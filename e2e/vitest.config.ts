import { longestFirst } from '@portal/testing/longest-first';
import { defineConfig } from 'vitest/config';
import { isDistributed, workers } from './support/host.ts';

export default defineConfig({
  test: {
    name: 'browser',
    root: import.meta.dirname,
    // The embedded host meets the identity provider in the tests of engines.
    include: ['test/**/*.test.ts', ...(isDistributed ? ['providers/*.engines.test.ts'] : [])],
    // What every screen looks like does not depend on the host.
    exclude: isDistributed ? ['test/screens/*.test.ts', 'test/long-names.test.ts'] : [],
    globalSetup: ['support/global-setup.ts'],
    // The specs of one process share its browser.
    isolate: false,
    maxWorkers: await workers(),
    sequence: {
      sequencer: longestFirst([
        'screens/partner.test.ts',
        'screens/admin.test.ts',
        'screens/guest.test.ts',
        'long-names.test.ts',
        'delivery.test.ts',
        'operator.test.ts',
        'exports.test.ts',
        'user-import.test.ts',
        'session-expiry.test.ts',
      ]),
    },
    // A restart of every process is a part of some.
    testTimeout: isDistributed ? 180_000 : 60_000,
    // The first start on a machine includes getting the engines.
    hookTimeout: isDistributed ? 600_000 : 120_000,
    // The product that specs share ends with the run.
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // What a page complained of stands in the message of a failure, also where that is all that is kept of a run.
    chaiConfig: { truncateThreshold: 2_000 },
  },
});
