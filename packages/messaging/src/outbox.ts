import type { OutgoingEvent } from './event.ts';
import type { SqlExecutor } from './sql-executor.ts';

/** Brokers refuse messages above 1 MB, and one that is never accepted would hold up all that follow it. */
const maxEnvelopeBytes = 900_000;

/**
 * Writes events in the transaction of the change that they tell of, in one statement that also wakes the relay.
 * Append after the change is written: its row locks are what orders two transactions on one aggregate.
 * @throws Error when an event is larger than a broker takes
 */
export async function appendToOutbox(tx: SqlExecutor, ...events: readonly OutgoingEvent[]): Promise<void> {
  if (events.length === 0) return;
  for (const { envelope } of events) {
    const bytes = Buffer.byteLength(JSON.stringify(envelope));
    if (bytes > maxEnvelopeBytes) {
      throw new Error(`Event ${envelope.type} has ${bytes} bytes; at most ${maxEnvelopeBytes} can be sent`);
    }
  }
  await tx.$executeRawUnsafe(
    `INSERT INTO messaging.outbox (topic, key, envelope, created_at)
     SELECT topic, key, envelope, (envelope ->> 'time')::timestamptz
     FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (topic text, key text, envelope jsonb))
       WITH ORDINALITY AS event (topic, key, envelope, position)
     ORDER BY position`,
    JSON.stringify(events),
  );
}
