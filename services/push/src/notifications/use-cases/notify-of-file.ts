import { type EventData, type fileEvents, plans } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { PushDb } from '../../data/db.ts';
import { findPartner } from '../../data/partner-repository.ts';
import { latestCertification } from '../data/file-push-repository.ts';
import { fileNotice } from '../domain/file-notice.ts';
import { unaddressed } from '../domain/notification.ts';
import { scheduleNotification } from './schedule-notification.ts';

/**
 * Has the people notified that a file was delivered to, by their groups or each by themselves, at once. It is sent with a certification of the partner
 * where its contract has that and it has one, else with the operator's. Nothing for a partner that is gone.
 */
export async function notifyOfFile(
  tx: Transaction<PushDb>,
  partnerId: number,
  { fileId, groupIds, name, notifyPush, userIds = [] }: EventData<typeof fileEvents.fileDelivered>,
  now: Date,
): Promise<void> {
  if (!notifyPush) return;
  const partner = await findPartner(tx.db, partnerId);
  if (!partner) return;
  const hasOwn = plans[partner.contractRank].apis.includes('certification');
  const certificationId = hasOwn ? await latestCertification(tx.db, partnerId) : null;
  const content = {
    ...unaddressed,
    ...fileNotice({ fileId, name }, partner.lang),
    certificationId,
    target: userIds.length > 0 ? 'users' : 'groups',
    groupIds,
    userIds,
  } as const;
  await scheduleNotification(tx, { partnerId, fileId }, content, now);
}
