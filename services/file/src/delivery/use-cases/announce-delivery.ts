import { fileEvents } from '@portal/contracts';
import { claimUnannounced } from '../../assignments/data/assignment-repository.ts';
import type { Change } from '../../files/data/changes.ts';
import type { File } from '../../files/data/file-repository.ts';
import { isDelivered } from '../../updates/domain/schedule.ts';

/** Publishes one event for each group to which a file has become visible. Players see the file independently of it. */
export async function announceDelivery(change: Change, file: File, now: Date): Promise<void> {
  if (!isDelivered(file, now)) return;
  const groupIds = await claimUnannounced(change, file.id);
  if (groupIds.length === 0) return;
  change.outbox.append(fileEvents.fileDelivered, {
    subject: file.id,
    partnerId: change.partnerId,
    data: {
      fileId: file.id,
      name: file.name,
      groupIds,
      notifyEmail: file.notifyEmail,
      notifyPush: file.notifyPush,
    },
  });
}
