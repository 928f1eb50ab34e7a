import { type EventContext, type EventDefinition, type OutgoingEvent, sharedFields } from './event.ts';
import type { SqlExecutor } from './sql-executor.ts';
import { isStorable } from './storable.ts';

/** A query with `$1`-style parameters, and their values. */
export interface SelectedRows {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** With it, a connection of `@portal/database` plans the statement once and keeps the plan. */
const keptPlan = '/* kept plan */';

/** Brokers refuse messages above 1 MB, and one that is never accepted would hold up all that follow it. */
const maxEnvelopeBytes = 900_000;

/**
 * Writes events in the transaction of their change, in one statement that also wakes the relay.
 * Append after the change is written: its row locks are what orders two transactions on one aggregate.
 * @throws Error when an event is larger than a broker takes, or has characters that no inbox can keep
 */
export async function appendToOutbox(
  tx: Pick<SqlExecutor, '$executeRawUnsafe'>,
  events: readonly OutgoingEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const text = JSON.stringify(events.map((event) => ({ ...event, time: event.envelope.time })));
  // A character has three bytes at most: where all of them together are few enough, so is each.
  if (text.length * 3 > maxEnvelopeBytes) events.forEach(assertSendable);
  // It would be refused by every inbox, and hold up all that follow it.
  if (!isStorable(events, text)) throw new Error('An event has characters that a database cannot keep');
  await tx.$executeRawUnsafe(
    `INSERT ${keptPlan} INTO messaging.outbox (topic, key, urgent, late, envelope, created_at)
     SELECT topic, key, urgent, late, envelope, time
     FROM ROWS FROM (
       json_to_recordset($1::json) AS (topic text, key text, urgent boolean, late boolean, envelope json, time timestamptz)
     ) WITH ORDINALITY AS event (topic, key, urgent, late, envelope, time, position)
     ORDER BY position`,
    text,
  );
}

function assertSendable({ envelope }: OutgoingEvent): void {
  const bytes = Buffer.byteLength(JSON.stringify(envelope));
  if (bytes > maxEnvelopeBytes) {
    throw new Error(`Event ${envelope.type} has ${bytes} bytes; at most ${maxEnvelopeBytes} can be sent`);
  }
}

/** A UUIDv7 made by the database, which has a function for it only since version 18. */
const uuidV7 = `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
  substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid`;

/**
 * Writes an event for each row of a query that gives `subject` (text) and `data` (json). For changes of very many rows: they never leave
 * the database, but for the first, which is held to the schema.
 * @throws what the definition's schema throws when `data` does not fit it
 */
export async function appendRowsToOutbox(
  tx: Pick<SqlExecutor, '$queryRawUnsafe'>,
  definition: EventDefinition,
  { partnerId, rows: { text, values } }: { readonly partnerId: number | null; readonly rows: SelectedRows },
  context: EventContext,
): Promise<void> {
  const common = sharedFields(definition, { partnerId }, context);
  const { length } = values;
  // Built in one piece: to put two objects together copies every event once more.
  const fields = Object.keys(common).map((name, i) => `'${name}', $${length + 3 + i}::json`);
  const [first] = await tx.$queryRawUnsafe<{ data: unknown }[]>(
    `WITH selected AS MATERIALIZED (${text}), written AS (
       INSERT INTO messaging.outbox (topic, key, urgent, late, envelope, created_at)
       SELECT $${length + 1}, subject, ${definition.urgent ?? false}, ${definition.late ?? false},
         json_build_object(${fields.join(', ')}, 'id', ${uuidV7}, 'subject', subject, 'data', data), $${length + 2}::timestamptz
       FROM selected)
     SELECT data FROM selected LIMIT 1`,
    ...values,
    definition.topic,
    common.time,
    ...Object.values(common).map((value) => JSON.stringify(value)),
  );
  if (first) definition.data.parse(first.data);
}
