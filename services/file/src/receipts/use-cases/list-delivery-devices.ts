import type { deliveryRoutes, Language, PageReply } from '@portal/contracts';
import { pageReply } from '@portal/database';
import { ofPartner } from '@portal/service-kit';
import type { z } from 'zod';
import type { FileDb } from '../../data/db.ts';
import type { Dependencies } from '../../dependencies.ts';
import {
  audiencesOf,
  type Delivered,
  type DeliveryFilters,
  type DeviceRow,
  listDeviceRows,
} from '../data/device-rows.ts';
import { type FileOf, findDelivered } from './find-delivered.ts';

/**
 * The devices that are to have a file now, and what has become of it there.
 * @throws AppError `E40405`
 */
export async function listDeliveryDevices(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  file: FileOf,
  query: z.output<(typeof deliveryRoutes.listDeliveryDevices)['query']>,
  language: Language,
): Promise<PageReply & { version: number; devices: DeviceRow[] }> {
  return store.read(ofPartner(file.partnerId), async (db) => {
    const delivered = await findListed(db, file, query, { now: clock.now(), language });
    if (!delivered) return { version: 0, devices: [], ...pageReply(0, query) };
    return { version: delivered.version, ...(await listDeviceRows(db, delivered, query)) };
  });
}

/** What a list with these filters is about; undefined where nobody is to have the file. */
export async function findListed(
  db: FileDb,
  file: FileOf,
  filters: DeliveryFilters,
  at: { readonly now: Date; readonly language: Language },
): Promise<Delivered | undefined> {
  const { groups, version: current } = await findDelivered(db, file, at);
  if (current === null) return undefined;
  const version = filters.version ?? current;
  const groupIds = groups.map(({ id }) => id);
  const audienceIds = await audiencesOf(db, file.partnerId, groupIds, filters.group);
  return { ...file, version, isCurrent: version === current, audienceIds };
}
