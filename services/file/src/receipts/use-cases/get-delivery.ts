import type { Language } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import type { FileDb } from '../../data/db.ts';
import type { Dependencies } from '../../dependencies.ts';
import { findPlan } from '../../rollouts/data/rollout-repository.ts';
import { stagedNumbers } from '../../rollouts/data/staged-numbers.ts';
import type { Plan } from '../../rollouts/domain/plan.ts';
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
    const now = clock.now();
    const { groups: reached, isStaged, version } = await findDelivered(db, file, { now, language });
    const ids = reached.map(({ id }) => id);
    const sets = [ids, ...ids.map((id) => [id])];
    const plan = version === null || !isStaged ? undefined : await findPlan(db, file, now);
    const [numbers, ...ofGroups] = plan
      ? await numbersInStages(db, file, plan, { version: version ?? 0, sets })
      : await deliveryNumbers(db, { ...file, version: version ?? 0 }, sets);
    if (!numbers) throw new Error('The database answered nothing');
    const groups = reached.flatMap((group, index) => {
      const one = ofGroups[index];
      return one ? [{ ...group, ...one }] : [];
    });
    const current = version === null ? [] : [{ ...numbers, version }];
    return { ...numbers, version, versions: [...current, ...(await older(db, file, plan, ids))], groups };
  });
}

/** The numbers of a version of which not all are to have it. Why it failed is told of all to whom the file is delivered. */
async function numbersInStages(
  db: FileDb,
  file: FileOf,
  plan: Plan,
  { sets, version }: { readonly version: number; readonly sets: readonly (readonly number[])[] },
): Promise<DeliveryNumbers[]> {
  const inStages = await stagedNumbers(db, file.partnerId, plan, sets);
  const ofAll = await deliveryNumbers(db, { ...file, version }, sets);
  return ofAll.map(({ failureReasons }, set) => ({ ...inStages.of(set, version), failureReasons }));
}

/** The versions before the current one that somebody is to have, the newest first. */
async function older(
  db: FileDb,
  file: FileOf,
  plan: Plan | undefined,
  groupIds: readonly number[],
): Promise<(DeliveryNumbers & { version: number })[]> {
  const found: (DeliveryNumbers & { version: number })[] = [];
  for (const { version } of plan?.layers.slice(1) ?? []) {
    const [numbers] = plan ? await numbersInStages(db, file, plan, { version, sets: [groupIds] }) : [];
    if (numbers && numbers.targeted.users > 0) found.push({ ...numbers, version });
  }
  return found;
}
