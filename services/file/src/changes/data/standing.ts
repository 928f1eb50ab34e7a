import { findOffered } from '../../applications/data/reach.ts';
import { assignedGroups } from '../../assignments/data/assignment-repository.ts';
import type { Change } from '../../files/data/changes.ts';
import { findFile } from '../../files/data/file-repository.ts';
import { findPlan, rolloutsOfVersions } from '../../rollouts/data/rollout-repository.ts';
import { scheduleAt } from '../../updates/domain/schedule.ts';
import type { FoundStanding } from '../domain/outcome.ts';

/** What is there of a file of the tenant, or of an application that it is offered. */
export async function findStanding(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  fileId: number,
  now: Date,
): Promise<FoundStanding> {
  const found = (await findOffered(db, partnerId, fileId)) ?? (await findFile(db, partnerId, fileId));
  const groupIds = await assignedGroups({ db, partnerId }, fileId);
  if (!found) {
    const none = {
      currentSize: 0,
      reservedSize: 0,
      sizes: new Map<number, number>(),
      openSlots: [],
      plan: null,
      rollout: null,
      reservedRollout: null,
    };
    return { fileId, name: null, schedule: null, groupIds: [], updatePending: false, ...none };
  }
  const file = scheduleAt(found, now);
  const plan = (await findPlan(db, { fileId, partnerId }, now)) ?? null;
  const layers = plan?.layers ?? [];
  const wanted = [file.currentVersionId ?? 0, file.reservedVersionId ?? 0];
  const versions = await db.version.findMany({
    where: {
      partnerId: file.partnerId,
      fileId,
      OR: [
        { id: { in: [...wanted, ...layers.map(({ versionId }) => versionId)] } },
        { status: { in: ['uploading', 'verifying'] } },
      ],
    },
    select: { id: true, size: true, slot: true, status: true, asked: true },
  });
  const open = versions.filter(({ status }) => status !== 'complete');
  const { currentVersionId } = file;
  // The bytes that are still to come take the place of those that are there; what is to wait for another admin is not reserved yet.
  const coming = open.find(({ asked, slot }) => slot === 'reserved' && asked === null);
  const reservedVersionId = coming?.id ?? file.reservedVersionId;
  const rollouts = await rolloutsOfVersions(
    db,
    partnerId,
    [currentVersionId, reservedVersionId].flatMap((id) => id ?? []),
    now,
  );
  const sizeOf = (versionId: number | null) => Number(versions.find(({ id }) => id === versionId)?.size ?? 0);
  return {
    fileId,
    plan,
    rollout: rollouts.get(currentVersionId ?? 0) ?? null,
    reservedRollout: rollouts.get(reservedVersionId ?? 0) ?? null,
    name: file.name,
    schedule: file,
    groupIds,
    updatePending: reservedVersionId !== null,
    currentSize: sizeOf(currentVersionId),
    reservedSize: sizeOf(reservedVersionId),
    sizes: new Map(layers.map(({ version, versionId }) => [version, sizeOf(versionId)])),
    openSlots: open.map(({ slot }) => slot),
  };
}
