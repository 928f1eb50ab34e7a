import { documentEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { DocumentDb } from '../../data/db.ts';
import type { Dependencies } from '../../dependencies.ts';
import { type Database, keyOf, nextRevision } from '../data/database-repository.ts';
import { databaseFields } from '../data/database-views.ts';

/** What the seal of a key is of, on its way to the tenant service. */
const sealOf = (partnerId: number) => `document database ${partnerId}`;

/** Tells others what a database is like now. */
export async function tellDatabase(
  { cipher, contractedQuota, seals }: Pick<Dependencies, 'cipher' | 'contractedQuota' | 'seals'>,
  { db, outbox }: Transaction<DocumentDb>,
  database: Database,
  event: typeof documentEvents.databaseCreated | typeof documentEvents.databaseUpdated,
): Promise<void> {
  const { apiKey, partnerId } = database;
  const data = {
    ...databaseFields(database, contractedQuota),
    revision: await nextRevision(db, partnerId),
    sealedKey: seals.seal(cipher.open(apiKey, keyOf(partnerId)), sealOf(partnerId), 'tenant'),
  };
  outbox.append(event, { subject: partnerId, partnerId, data });
}
