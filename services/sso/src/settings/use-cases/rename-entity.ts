import { ssoEvents } from '@portal/contracts';
import { type EventEnvelope, partnerOf, type Transaction } from '@portal/service-kit';
import type { SsoDb } from '../../data/db.ts';
import { holdPartner, keepTold } from '../../data/partner-repository.ts';
import { findSetting, nextRevision, renameSetting, settingStateOf } from '../data/setting-repository.ts';

/**
 * The code of a partner may be another: its entity id follows, and with it the code that is kept, so that no change of the setting
 * writes the old one after it. One that another partner has is not taken from it.
 */
export async function renameEntity(
  tx: Transaction<SsoDb>,
  event: EventEnvelope,
  publicUrl: string,
): Promise<void> {
  const { db, outbox } = tx;
  const partnerId = partnerOf(event);
  await keepTold(tx, event);
  const before = await findSetting(db, partnerId);
  if (!before) return;
  const partner = await holdPartner(db, partnerId);
  // Another handler has been told already that it is gone, and its setting follows.
  if (!partner) return;
  const after = await renameSetting(db, before, partner.partnerCode);
  if (!after) return;
  outbox.append(ssoEvents.settingUpdated, {
    subject: partnerId,
    partnerId,
    data: settingStateOf(after, publicUrl, await nextRevision(db, partnerId)),
  });
}
