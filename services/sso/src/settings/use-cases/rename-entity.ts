import { ssoEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { SsoDb } from '../../data/db.ts';
import { findSetting, nextRevision, renameSetting, settingStateOf } from '../data/setting-repository.ts';

/** The code of a partner may be another: its entity id follows. One that another partner has is not taken from it. */
export async function renameEntity(
  { db, outbox }: Transaction<SsoDb>,
  { partnerCode, partnerId }: { readonly partnerId: number; readonly partnerCode: string },
  publicUrl: string,
): Promise<void> {
  const before = await findSetting(db, partnerId);
  if (!before) return;
  const after = await renameSetting(db, before, partnerCode);
  if (!after) return;
  outbox.append(ssoEvents.settingUpdated, {
    subject: partnerId,
    partnerId,
    data: settingStateOf(after, publicUrl, await nextRevision(db, partnerId)),
  });
}
