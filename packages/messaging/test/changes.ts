import type { Clock } from '@portal/kernel';
import type { Pool } from 'pg';
import {
  appendToOutbox,
  createEvent,
  type EventDefinition,
  pgExecutor,
  type SqlExecutor,
} from '../src/index.ts';

export const changed: EventDefinition<{ n: number }> = {
  type: 'thing.changed',
  topic: 'portal.test',
  data: {
    parse: (value) => {
      if (typeof value === 'object' && value && 'n' in value && typeof value.n === 'number')
        return { n: value.n };
      throw new Error('n must be a number');
    },
  },
};

export async function inTransaction<T>(pool: Pool, work: (tx: SqlExecutor) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(pgExecutor(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** Writes a change and its event; both are there when this resolves, or neither. */
export async function change(pool: Pool, clock: Clock, subject: string, n: number): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.$executeRawUnsafe('INSERT INTO change (subject, n) VALUES ($1, $2)', subject, n);
    await appendToOutbox(
      tx,
      createEvent(changed, { subject, partnerId: 1, data: { n } }, { source: 'producer', clock }),
    );
  });
}
