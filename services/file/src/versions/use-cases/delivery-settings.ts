import { requireTwoAdmins } from '@portal/contracts/internal';
import { ofPartner, type Peers } from '@portal/service-kit';
import { askForSettings } from '../../approvals/use-cases/ask.ts';
import { Waiting } from '../../changes/use-cases/conduct.ts';
import type { Uploader } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Change } from '../../files/data/changes.ts';
import { findDueUpdatesOf } from '../../files/data/file-repository.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { applyDueUpdate } from '../../updates/use-cases/apply-due-update.ts';
import { keepVersions } from '../data/life-repository.ts';
import {
  type DeliverySettings,
  deliverySettings,
  saveDeliverySettings,
} from '../data/settings-repository.ts';

export async function getDeliverySettings(
  { store }: Pick<Dependencies, 'store'>,
  partnerId: number,
): Promise<DeliverySettings> {
  return store.read(ofPartner(partnerId), async (db) => deliverySettings(db, partnerId));
}

/**
 * Sets how many versions are kept, and whether changes wait for a second admin: once they do, another one is to approve that they
 * do no more.
 * @throws AppError `E40034` on `approvalRequired` where there are no two admins
 */
export async function updateDeliverySettings(
  deps: Dependencies & { readonly peers: Peers },
  caller: Uploader,
  changes: { readonly versionsKept?: number | undefined; readonly approvalRequired?: boolean | undefined },
): Promise<Waiting | void> {
  const { clock, peers, store } = deps;
  const { partnerId } = caller;
  const before = await store.read(ofPartner(partnerId), async (db) => deliverySettings(db, partnerId));
  // Whoever deletes admins asks for two from then on, whether this is written down at once or not.
  if (changes.approvalRequired && !before.approvalRequired) {
    await peers.call(requireTwoAdmins, { body: { partnerId, at: clock.now().getTime() } });
  }
  const by = changes.approvalRequired === false ? await deps.creatorOf(caller) : null;
  return changeFiles(deps, partnerId, async (change) => {
    const present = await deliverySettings(change.db, partnerId);
    const { approvalRequired = present.approvalRequired, versionsKept = present.versionsKept } = changes;
    if (by && present.approvalRequired && !approvalRequired) {
      return new Waiting((await askForSettings(change, changes.versionsKept, { by, now: clock.now() })).id);
    }
    await applySettings(change, { approvalRequired, versionsKept }, clock.now());
  });
}

/** Of files that are there it decides at once which versions keep their bytes. */
export async function applySettings(change: Change, settings: DeliverySettings, now: Date): Promise<void> {
  const before = await deliverySettings(change.db, change.partnerId);
  const keepsAnother = settings.versionsKept !== before.versionsKept;
  if (!keepsAnother && settings.approvalRequired === before.approvalRequired) return;
  // What has come due fell out by the number that was set then.
  if (keepsAnother) {
    for (const file of await findDueUpdatesOf(change, now)) await applyDueUpdate(change, file, now);
  }
  await saveDeliverySettings(change, settings);
  if (keepsAnother) await keepVersions(change, settings.versionsKept, now);
}
