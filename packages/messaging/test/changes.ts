import type { Clock } from '@portal/kernel';
import type { Pool } from 'pg';
import { appendToOutbox, createEvent, type EventDefinition, inTransaction } from '../src/index.ts';

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

/** Writes a change and its event; both are there when this resolves, or neither. */
export async function change(pool: Pool, clock: Clock, subject: string, n: number): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.$executeRawUnsafe('INSERT INTO change (subject, n) VALUES ($1, $2)', subject, n);
    await appendToOutbox(tx, [
      createEvent(changed, { subject, partnerId: 1, data: { n } }, { source: 'producer', clock }),
    ]);
  });
}
