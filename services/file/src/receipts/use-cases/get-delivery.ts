import type { Language } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { type DeliveryNumbers, deliveryNumbers } from '../data/delivery-numbers.ts';
import { type FileOf, findDelivered } from './find-delivered.ts';

export interface Delivery extends DeliveryNumbers {
  /** Null where nobody is to have any. */
  readonly version: number | null;
  readonly versions: readonly (DeliveryNumbers & { version: number })[];
  readonly groups: readonly (DeliveryNumbers & { id: number; name: string })[];
}

/**
 * What has become of a file of the tenant.
 * @throws AppError `E40405`
 */
export async function getDelivery(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  file: FileOf,
  language: Language,
): Promise<Delivery> {
  return store.read(ofPartner(file.partnerId), async (db) => {
    const { groups: reached, version } = await findDelivered(db, file, { now: clock.now(), language });
    const ids = reached.map(({ id }) => id);
    const [numbers, ...ofGroups] = await deliveryNumbers(db, { ...file, version: version ?? 0 }, [
      ids,
      ...ids.map((id) => [id]),
    ]);
    if (!numbers) throw new Error('The database answered nothing');
    const groups = reached.flatMap((group, index) => {
      const one = ofGroups[index];
      return one ? [{ ...group, ...one }] : [];
    });
    return { ...numbers, version, versions: version === null ? [] : [{ ...numbers, version }], groups };
  });
}
