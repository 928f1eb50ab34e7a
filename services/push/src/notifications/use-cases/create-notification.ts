import { concernsRecord, ofPartner } from '@portal/service-kit';
import { type NamedAudience, requireAudience } from '../../audience/use-cases/require-audience.ts';
import type { Dependencies } from '../../dependencies.ts';
import { requireCertification } from '../data/notification-repository.ts';
import {
  changedNotification,
  type NotificationChange,
  requireSendable,
  unaddressed,
} from '../domain/notification.ts';
import { hasOwnCertifications } from './own-certifications.ts';
import { scheduleNotification } from './schedule-notification.ts';

/**
 * Writes a notification, which is sent at once or at its time. Answers its id, and whether that has come.
 * @throws AppError `E40002` on `json`, `message` and `deliverDatetime`, on `userIds` beside a group; `E40404` on `groupId`; `E40403` on
 *   `userIds`; `E40401` on `certificationId`; `E40304` for one of its own where the contract has none; `E40030` where there is none
 */
export async function createNotification(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  partnerId: number,
  fields: Omit<NotificationChange, 'audience'> & NamedAudience & { readonly message: string },
): Promise<{ readonly id: number; readonly isDue: boolean }> {
  const { clock, store } = deps;
  const toAll = changedNotification({ ...unaddressed, message: fields.message }, fields);
  requireSendable(toAll, fields, clock.now());
  const audience = await requireAudience(deps, partnerId, fields);
  const content = changedNotification(toAll, { audience });
  const hasOwn = await hasOwnCertifications(deps, partnerId);
  return store.write(ofPartner(partnerId), async (tx) => {
    const { certificationId } = content;
    await requireCertification(tx.db, partnerId, { certificationId, hasOwn });
    const now = clock.now();
    const { dueAt, id } = await scheduleNotification(tx, { partnerId, fileId: null }, content, now);
    concernsRecord({ id, name: content.title ?? content.message });
    return { id, isDue: dueAt <= now };
  });
}
