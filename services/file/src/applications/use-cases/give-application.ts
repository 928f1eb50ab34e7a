import type { Transaction } from '@portal/service-kit';
import { operator } from '@portal/storage';
import type { FileDb } from '../../data/db.ts';
import { beginChange } from '../../files/data/changes.ts';
import { findFile } from '../../files/data/file-repository.ts';
import { addDestination, currentDestinations } from '../data/destination-repository.ts';

/**
 * Makes a tenant that signed up for an application a destination of it. One that was deleted meanwhile is given to nobody, and one
 * that goes to all has the tenant already.
 */
export async function giveApplication(
  tx: Transaction<FileDb>,
  { applicationId, at, partnerId }: { applicationId: number; partnerId: number; at: Date },
): Promise<void> {
  const change = await beginChange(tx, operator);
  const file = await findFile(change.db, operator, applicationId);
  if (!file) return;
  const destinations = await currentDestinations(change.db, applicationId);
  if (destinations === 'all' || destinations.includes(partnerId)) return;
  await addDestination(change, file, partnerId, at);
}
