import { fileEvents } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import { concernsRecord, type Peers } from '@portal/service-kit';
import { operator } from '@portal/storage';
import type { Dependencies } from '../../dependencies.ts';
import { requireFile, saveFile } from '../../files/data/file-repository.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { assertNewVersion, fileRequired, type NewVersion } from '../../files/use-cases/update-file.ts';
import { type PlannedRollout, planVersion } from '../../rollouts/use-cases/plan-rollout.ts';
import type { Version } from '../../uploads/data/version-repository.ts';
import { openUpload } from '../../uploads/use-cases/open-upload.ts';
import { noteVersion } from '../../versions/use-cases/note-version.ts';
import { currentDestinations, setDestinations } from '../data/destination-repository.ts';
import { changedDestinations } from '../domain/destinations.ts';
import { applicationState } from './application-state.ts';
import { type Publisher, requireApplication, requirePublishing, requireReachable } from './publisher.ts';

/**
 * Changes an application; undefined leaves a value as it is. With `newVersion` it opens an upload, whose bytes everybody gets
 * when they are complete, at once or in stages. The players of tenants that it goes to no more remove it.
 * @throws AppError `E40003` for stages without bytes; `E40405`; `E40002` on `saleType`, `partnerIds`, `file`; `E40301`, `E40402`, `E40305` as `createApplication`;
 * `E40019`
 */
export async function updateApplication(
  deps: Dependencies & { readonly peers: Peers },
  publisher: Publisher,
  id: number,
  changes: {
    readonly name: string | undefined;
    readonly saleType: number | undefined;
    readonly allDeliverFlag: boolean | null | undefined;
    readonly partnerIds: readonly number[] | null | undefined;
    readonly newVersion: NewVersion | undefined;
    readonly versionNote: string | undefined;
    /** The stages of the new version. */
    readonly rollout: PlannedRollout;
  },
): Promise<Version | undefined> {
  const { name, newVersion, rollout, saleType, versionNote } = changes;
  if (!newVersion && rollout !== undefined) throw fileRequired();
  const application = await requireApplication(deps, publisher, id);
  concernsRecord(application);
  if (saleType !== undefined && saleType !== application.saleType) {
    throw fieldError('E40002', 'saleType', 'saleTypeFixed');
  }
  if (newVersion) assertNewVersion(application.fileName, newVersion);
  const current = await deps.store.read(publisher.scope, async (db) => currentDestinations(db, id));
  const wanted = changedDestinations(changes, current);
  await requirePublishing(deps, publisher, application.saleType ?? 0);
  if (wanted) await requireReachable(deps, publisher, application.unitId, wanted);
  const creator = newVersion
    ? await deps.creatorOf({ partnerId: operator, accountId: publisher.adminId })
    : null;
  return changeFiles(deps, operator, async (change) => {
    const now = deps.clock.now();
    const before = await requireFile(change.db, operator, id);
    const file = await saveFile(change, { ...before, name: name ?? before.name, updatedAt: now });
    const { left } = wanted
      ? await setDestinations(change, file, wanted, now)
      : { left: { fromAll: false, partnerIds: [] } };
    if (file.completedAt !== null) {
      const event = { subject: id, partnerId: null };
      change.outbox.append(fileEvents.applicationUpdated, {
        ...event,
        data: await applicationState(change.db, file),
      });
      if (left.fromAll || left.partnerIds.length > 0) {
        change.outbox.append(fileEvents.applicationWithdrawn, {
          ...event,
          data: { applicationId: id, ...left },
        });
      }
    }
    if (!newVersion) {
      await noteVersion(change, file, 'current', versionNote);
      return undefined;
    }
    const { fileSize: size, fingerprint } = newVersion;
    const version = await openUpload(deps, change, {
      file,
      slot: 'current',
      size,
      fingerprint,
      quota: 0,
      creator,
      note: versionNote ?? '',
    });
    await planVersion(change, id, version.id, rollout, { now });
    return version;
  });
}
