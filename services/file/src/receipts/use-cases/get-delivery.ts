import type { Language } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { findPlan } from '../../rollouts/data/rollout-repository.ts';
import type { DeliveryNumbers } from '../data/delivery-numbers.ts';
import { type Counted, countVersions } from './count-versions.ts';
import { type FileOf, findDelivered } from './find-delivered.ts';

export interface Delivery extends Counted {
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
    const now = clock.now();
    const { groups: reached, isStaged, version } = await findDelivered(db, file, { now, language });
    const setOf = (groupIds: readonly number[]) => [{ partnerId: file.partnerId, groupIds }];
    const ids = reached.map(({ id }) => id);
    const plan = version === null || !isStaged ? undefined : await findPlan(db, file, now);
    const { ofSets, ...counted } = await countVersions(
      db,
      { fileId: file.fileId, plan, version },
      setOf(ids),
      ids.map((id) => setOf([id])),
    );
    const groups = reached.flatMap((group, index) => {
      const one = ofSets[index];
      return one ? [{ ...group, ...one }] : [];
    });
    return { ...counted, groups };
  });
}
