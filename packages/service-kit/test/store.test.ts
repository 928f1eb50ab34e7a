import { messagingMigrations, pgExecutor } from '@portal/messaging';
import { testDatabase } from '@portal/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { inTransaction } from '../src/store.ts';

const happened = { type: 'thing.happened', topic: 'portal.things', version: 1, data: z.object({}) };

test('A change of very many things tells of each of them', async () => {
  const many = 200_000;
  const database = await testDatabase({ service: 'kit', directories: [messagingMigrations] });
  const pool = new pg.Pool({ connectionString: database.ownerUrl, options: '-c app.scope=system' });
  try {
    const context = { source: 'producer', clock: { now: () => new Date('2026-11-21T09:00:00Z') } };
    await inTransaction(pgExecutor(pool), context, async ({ outbox }) => {
      for (let n = 0; n < many; n += 1) outbox.append(happened, { subject: n, partnerId: null, data: {} });
    });
    expect((await pool.query('SELECT count(*)::integer AS events FROM messaging.outbox')).rows).toEqual([
      { events: many },
    ]);
  } finally {
    await pool.end();
    await database.drop();
  }
}, 60_000);
