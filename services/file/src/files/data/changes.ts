import type { Outbox, Transaction } from '@portal/service-kit';
import type { FileDb } from '../../data/db.ts';

/** The channel on which instances tell each other, with the partner's id, that something changed. */
export const changeChannel = 'file_changes';

/** One transaction that changes what players of a tenant may see. */
export interface Change {
  readonly db: FileDb;
  readonly outbox: Outbox;
  readonly partnerId: number;
  /** The number of the change; rows that it touches carry it. */
  readonly number: bigint;
  /** Null until an event of the tenant service about the tenant has arrived. */
  readonly uapFileLimit: number | null;
}

/**
 * Takes the next number of the tenant. The lock on its row is held to the end of the transaction: writers of one tenant
 * go one after the other, and whoever sees a number sees everything up to it.
 */
export async function beginChange({ db, outbox }: Transaction<FileDb>, partnerId: number): Promise<Change> {
  const [row] = await db.$queryRaw<{ change_counter: bigint; uap_file_limit: number | null }[]>`
    INSERT INTO partners (partner_id, change_counter) VALUES (${partnerId}, 1)
    ON CONFLICT (partner_id) DO UPDATE SET change_counter = partners.change_counter + 1
    RETURNING change_counter, uap_file_limit`;
  if (!row) throw new Error('The partner row was not written');
  await db.$executeRaw`SELECT pg_notify(${changeChannel}, ${String(partnerId)})`;
  return { db, outbox, partnerId, number: row.change_counter, uapFileLimit: row.uap_file_limit };
}

/**
 * The same lock for work that players do not notice, such as telling of what has come due: it takes no number. Undefined
 * when another transaction is writing for this tenant.
 */
export async function tryUnnumberedChange(
  { db, outbox }: Transaction<FileDb>,
  partnerId: number,
): Promise<Change | undefined> {
  const [row] = await db.$queryRaw<{ change_counter: bigint; uap_file_limit: number | null }[]>`
    SELECT change_counter, uap_file_limit FROM partners WHERE partner_id = ${partnerId} FOR UPDATE SKIP LOCKED`;
  return row && { db, outbox, partnerId, number: row.change_counter, uapFileLimit: row.uap_file_limit };
}

/** As `beginChange`; undefined when another transaction is writing for this tenant. */
export async function tryChange(tx: Transaction<FileDb>, partnerId: number): Promise<Change | undefined> {
  return (await tryUnnumberedChange(tx, partnerId)) && beginChange(tx, partnerId);
}
