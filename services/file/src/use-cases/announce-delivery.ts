import { fileEvents } from '@portal/contracts';
import { takeUnannounced } from '../data/assignment-repository.ts';
import type { Change } from '../data/changes.ts';
import type { File } from '../data/file-repository.ts';
import { isDelivered } from '../domain/schedule.ts';

/** Tells once of each group that a file is delivered to by now. It decides nothing: players see the file anyway. */
export async function announceDelivery(change: Change, file: File, now: Date): Promise<void> {
  if (!isDelivered(file, now)) return;
  const groupIds = await takeUnannounced(change, file.id);
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
