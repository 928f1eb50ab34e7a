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
      return `${database.ownerUrl}?options=-c%20app.scope%3Dsystem`;
    },
    async stop() {
      await Promise.all(made.map((database) => database.drop()));
    },
  };
}
