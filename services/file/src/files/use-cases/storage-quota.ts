import type { ContractRank } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { StorageQuotas } from '../../config.ts';
import type { Dependencies, QuotaOf } from '../../dependencies.ts';
import type { Change } from '../data/changes.ts';
import { type StorageUse, storageUse } from '../data/storage-use.ts';

/** Asks for the rank only where some rank has a quota. */
export function createQuotaOf(
  quotas: StorageQuotas | undefined,
  rankOf: (partnerId: number) => Promise<ContractRank>,
): QuotaOf {
  return async (partnerId) => (quotas ? quotas[await rankOf(partnerId)] : 0);
}

/**
 * Counted under the lock of the tenant: two uploads at one moment do not take the same last place.
 * @param bytes what is to be stored besides
 * @throws AppError `E40002` on `file`
 */
export async function assertRoom(change: Change, quota: number, bytes: number): Promise<void> {
  if (quota === 0) return;
  const { used } = await storageUse(change.db, change.partnerId);
  if (used + bytes > quota) throw fieldError('E40002', 'file', 'storageFull');
}

export async function getStorageUse(
  { quotaOf, store }: Pick<Dependencies, 'quotaOf' | 'store'>,
  partnerId: number,
): Promise<StorageUse & { quota: number }> {
  const quota = await quotaOf(partnerId);
  return { quota, ...(await store.read(ofPartner(partnerId), async (db) => storageUse(db, partnerId))) };
}
