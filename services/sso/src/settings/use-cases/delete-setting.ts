import { ssoEvents } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { deleteSettingRow, lockSetting, nextRevision } from '../data/setting-repository.ts';

/** Takes single sign-on away from a partner. Throws `E40401` where there is none. */
export async function deleteSetting(
  { store }: Pick<Dependencies, 'store'>,
  partnerId: number,
): Promise<void> {
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    await lockSetting(db, partnerId);
    await deleteSettingRow(db, partnerId);
    outbox.append(ssoEvents.settingDeleted, {
      subject: partnerId,
      partnerId,
      data: { partnerId, revision: await nextRevision(db, partnerId) },
    });
  });
}
