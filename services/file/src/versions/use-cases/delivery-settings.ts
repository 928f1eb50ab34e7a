import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { findDueUpdatesOf } from '../../files/data/file-repository.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { applyDueUpdate } from '../../updates/use-cases/apply-due-update.ts';
import { keepVersions } from '../data/life-repository.ts';
import { saveVersionsKept, versionsKept } from '../data/settings-repository.ts';

export interface DeliverySettings {
  readonly versionsKept: number;
}

export async function getDeliverySettings(
  { store }: Pick<Dependencies, 'store'>,
  partnerId: number,
): Promise<DeliverySettings> {
  return store.read(ofPartner(partnerId), async (db) => ({
    versionsKept: await versionsKept(db, partnerId),
  }));
}

/** Of files that are there the change decides at once which versions keep their bytes. */
export async function updateDeliverySettings(
  deps: Pick<Dependencies, 'clock' | 'store' | 'watch'>,
  partnerId: number,
  { versionsKept: kept }: DeliverySettings,
): Promise<void> {
  await changeFiles(deps, partnerId, async (change) => {
    if (kept === (await versionsKept(change.db, partnerId))) return;
    const now = deps.clock.now();
    // What has come due fell out by the number that was set then.
    for (const file of await findDueUpdatesOf(change, now)) await applyDueUpdate(change, file, now);
    await saveVersionsKept(change, kept);
    await keepVersions(change, kept, now);
  });
}
