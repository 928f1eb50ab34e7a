import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { listPoints } from '../data/history-repository.ts';
import { type Point, thinned } from '../domain/history.ts';
import type { FileOf } from './find-delivered.ts';
import { getDelivery } from './get-delivery.ts';
import { pointOf } from './keep-history.ts';

/**
 * How the numbers of a version came to be what they are; without one, of the current version.
 * @throws AppError `E40405`
 */
export async function getDeliveryHistory(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  file: FileOf,
  asked: number | undefined,
): Promise<{ version: number | null; points: Point[] }> {
  const delivery = await getDelivery({ clock, store }, file, 'en');
  const version = asked ?? delivery.version;
  if (version === null) return { version, points: [] };
  const kept = await store.read(ofPartner(file.partnerId), async (db) =>
    listPoints(db, { ...file, version }),
  );
  const now = delivery.versions.find((one) => one.version === version);
  return { version, points: [...thinned(kept), ...(now ? [pointOf(now, clock.now())] : [])] };
}
