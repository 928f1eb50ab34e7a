import { type TestDatabase, testDatabase } from '@portal/testing';
import { messagingMigrations } from '../src/index.ts';

/** Databases with the messaging schema alone, removed together. */
export function startPostgres() {
  const made: TestDatabase[] = [];
  return {
    async createDatabase(): Promise<string> {
      const database = await testDatabase({ service: 'messaging', directories: [messagingMigrations] });
      made.push(database);
      // The owner's: the tests make tables of their own.
      const url = new URL(database.ownerUrl);
      url.searchParams.set('options', '-c app.scope=system');
      return url.href;
    },
    async stop() {
      await Promise.all(made.map((database) => database.drop()));
    },
  };
}
