import type { Language } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findOffered } from '../../applications/data/reach.ts';
import type { Dependencies } from '../../dependencies.ts';
import { findFile } from '../../files/data/file-repository.ts';
import { type FileView, findFileView, nameEveryone } from '../../files/data/file-views.ts';
import { type DeliveryNumbers, deliveryNumbers } from '../data/delivery-numbers.ts';

export interface Delivery extends DeliveryNumbers {
  /** Null where nobody is to have any. */
  readonly version: number | null;
  readonly versions: readonly (DeliveryNumbers & { version: number })[];
  readonly groups: readonly (DeliveryNumbers & { id: number; name: string })[];
}

/**
 * What has become of a file of the tenant: before its delivery time, without groups or bytes nobody is to have it.
 * @throws AppError `E40405`
 */
export async function getDelivery(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  { fileId, partnerId }: { readonly partnerId: number; readonly fileId: number },
  language: Language,
): Promise<Delivery> {
  const now = clock.now();
  return store.read(ofPartner(partnerId), async (db) => {
    const isThere = (await findFile(db, partnerId, fileId)) ?? (await findOffered(db, partnerId, fileId));
    const view = isThere ? await findFileView(db, partnerId, fileId, { now, language }) : undefined;
    if (!view) throw new AppError('E40405');
    const version = isDelivered(view) ? view.version : null;
    const of = { fileId, partnerId, version: version ?? 0 };
    const reached = version === null ? [] : view.groups;
    const numbers = await deliveryNumbers(
      db,
      of,
      reached.map(({ id }) => id),
    );
    const groups: (DeliveryNumbers & { id: number; name: string })[] = [];
    for (const group of reached) {
      groups.push({ ...nameEveryone(group, language), ...(await deliveryNumbers(db, of, [group.id])) });
    }
    return { ...numbers, version, versions: version === null ? [] : [{ ...numbers, version }], groups };
  });
}

const isDelivered = ({ state }: FileView): boolean => state === 'delivered' || state === 'update_reserved';
