import { defineConfig } from 'vitest/config';

/** Generated input for the whole product, bounded by time and not by cases; the product brings its own PostgreSQL. */
export default defineConfig({
  test: {
    include: ['services/*/test/**/*.fuzz.test.ts'],
    pool: 'forks',
    hookTimeout: 120_000,
  },
});
