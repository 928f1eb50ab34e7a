import { type EventData, fileEvents } from '@portal/contracts';
import type { FileDb } from '../../data/db.ts';
import type { File } from '../../files/data/file-repository.ts';
import { currentDestinations } from '../data/destination-repository.ts';

/** What events tell of an application. */
export async function applicationState(
  db: FileDb,
  { changedIn, fileName, id, name, saleType, unitId, version }: File,
): Promise<EventData<typeof fileEvents.applicationUpdated>> {
  const destinations = await currentDestinations(db, id);
  return fileEvents.applicationUpdated.data.parse({
    applicationId: id,
    revision: Number(changedIn),
    name,
    saleType,
    version,
    fileName,
    unitId,
    allDeliverFlag: destinations === 'all',
    partnerIds: destinations === 'all' ? [] : destinations,
  });
}
