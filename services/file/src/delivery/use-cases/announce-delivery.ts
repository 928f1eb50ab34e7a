import { fileEvents } from '@portal/contracts';
import { announceAgain, claimUnannounced } from '../../assignments/data/assignment-repository.ts';
import type { Change } from '../../files/data/changes.ts';
import type { File } from '../../files/data/file-repository.ts';
import { findPlan } from '../../rollouts/data/rollout-repository.ts';
import { isDelivered } from '../../updates/domain/schedule.ts';

/** Publishes one event for each group to which a file has become visible. Players see the file independently of it. */
export async function announceDelivery(change: Change, file: File, now: Date): Promise<void> {
  if (!isDelivered(file, now)) return;
  const groupIds = await claimUnannounced(change, file.id);
  if (groupIds.length === 0) return;
  // Nobody is told of what has not reached them.
  const isHeldBack =
    file.isStaged && (await findPlan(change.db, { ...change, fileId: file.id }, now)) !== undefined;
  change.outbox.append(fileEvents.fileDelivered, {
    subject: file.id,
    partnerId: change.partnerId,
    data: {
      fileId: file.id,
      name: file.name,
      groupIds,
      notifyEmail: file.notifyEmail && !isHeldBack,
      notifyPush: file.notifyPush && !isHeldBack,
    },
  });
}

/** The last stage has begun: who asked for people to be told when a file went out in stages meant all of them. */
export async function announceToAll(change: Change, file: File, now: Date): Promise<void> {
  if (!file.notifyEmail && !file.notifyPush) return;
  await announceAgain(change, file.id);
  await announceDelivery(change, file, now);
}
