import { fileEvents } from '@portal/contracts';
import { claimUnannounced } from '../../assignments/data/assignment-repository.ts';
import type { Change } from '../../files/data/changes.ts';
import type { File } from '../../files/data/file-repository.ts';
import { findPlan } from '../../rollouts/data/rollout-repository.ts';
import { beginTelling } from '../../rollouts/data/telling-repository.ts';
import { reachesAll } from '../../rollouts/domain/plan.ts';
import { isDelivered } from '../../updates/domain/schedule.ts';

/** Publishes one event for each group to which a file has become visible. Players see the file independently of it. */
export async function announceDelivery(change: Change, file: File, now: Date): Promise<void> {
  if (!isDelivered(file, now)) return;
  const groupIds = await claimUnannounced(change, file.id);
  if (groupIds.length === 0) return;
  const plan = file.isStaged ? await findPlan(change.db, { ...change, fileId: file.id }, now) : undefined;
  // Nobody is told of what has not reached them.
  const isHeldBack = plan !== undefined && !reachesAll(plan);
  if (isHeldBack && (file.notifyEmail || file.notifyPush)) await beginTelling(change, file);
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
