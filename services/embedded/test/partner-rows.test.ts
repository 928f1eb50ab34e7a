import { withClient } from '@portal/database';
import { testDatabase } from '@portal/testing';
import { expect, test } from 'vitest';
import { services } from '../src/services.ts';

/** With its schema, each table of partners; its partitions stand behind the whole. */
const tablesOfPartners = `
  SELECT relnamespace::regnamespace || '.' || relname AS name FROM pg_class
  WHERE relkind IN ('r', 'p') AND NOT relispartition AND EXISTS (
    SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'partner_id' AND NOT attisdropped)
  ORDER BY 1`;

test.each(services.map((service) => [service.name, service] as const))(
  'The %s service says of each table of partners what becomes of the rows of one that is deleted',
  async (name, { migrations, partnerTables }) => {
    const database = await testDatabase({ service: name, directories: migrations });
    try {
      const { rows } = await withClient(database.ownerUrl, (client) =>
        client.query<{ name: string }>(tablesOfPartners),
      );
      expect(rows.map((table) => table.name)).toEqual([...partnerTables].sort());
    } finally {
      await database.drop();
    }
  },
);
