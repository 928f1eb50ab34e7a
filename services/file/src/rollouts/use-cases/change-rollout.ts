import { fileEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { concernsRecord } from '@portal/service-kit';
import { changeDelivery } from '../../changes/use-cases/change-delivery.ts';
import type { Conduct, Waiting } from '../../changes/use-cases/conduct.ts';
import {
  assertMayDistribute,
  type Editor,
  scopeOf,
  type Uploader,
} from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Change } from '../../files/data/changes.ts';
import { type File, requireFile, touchFile } from '../../files/data/file-repository.ts';
import { scheduleAt } from '../../updates/domain/schedule.ts';
import { applyDueUpdate } from '../../updates/use-cases/apply-due-update.ts';
import {
  rolloutsOfVersions,
  type StoredRollout,
  saveCourse,
  storedRollouts,
} from '../data/rollout-repository.ts';
import { begunOf, isOverLimit, stateOf, withNextStage } from '../domain/rollout.ts';
import { type RolledOut, toldOf } from './rollout-events.ts';
import { appendAdvanced } from './settle-rollouts.ts';

/** What is to become of the stages of a version. */
export type RolloutAction =
  | { readonly action: 'advance' /** The number of the next one. */; readonly stage: number }
  | { readonly action: 'halt' | 'resume' | 'cancel' };

/**
 * The stages of the current version of a file.
 * @throws AppError `E40405`; `E40401` where it has none; `E40301` for an application, whose stages are its publisher's
 */
export async function getRollout(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  reader: Pick<Editor, 'partnerId' | 'scope'>,
  fileId: number,
): Promise<StoredRollout> {
  const { partnerId } = reader;
  const now = clock.now();
  return store.read(scopeOf(reader), async (db) => {
    const { currentVersionId } = scheduleAt(await requireFile(db, partnerId, fileId), now);
    const id = currentVersionId ?? 0;
    const rollout = (await rolloutsOfVersions(db, partnerId, [id], now)).get(id);
    if (!rollout) throw new AppError('E40401');
    return rollout;
  });
}

/**
 * Begins the next stage of a file's current version, halts its stages, goes on with them or ends them for good.
 * @throws AppError `E40301` for who is no administrator; `E40405`; `E40401` where it has no stages; `E40034` at the wrong moment, and
 * for another than the next stage
 */
export async function changeRollout(
  deps: Dependencies,
  editor: Uploader,
  fileId: number,
  what: RolloutAction,
  conduct?: Conduct,
): Promise<StoredRollout | Waiting> {
  const { partnerId } = editor;
  // A preview is asked for by others, too.
  assertMayDistribute(editor);
  const by = what.action === 'halt' ? await deps.creatorOf(editor) : null;
  return changeDelivery(deps, partnerId, conduct, async (change) => {
    const now = deps.clock.now();
    const file = await applyDueUpdate(change, await requireFile(change.db, partnerId, fileId), now);
    concernsRecord(file);
    const rollout = (await storedRollouts(change, fileId, now)).find(
      ({ versionId }) => versionId === file.currentVersionId,
    );
    if (!rollout) throw new AppError('E40401');
    return changed(change, file, rollout, what, { by, now });
  });
}

async function changed(
  change: Change,
  file: File,
  rollout: StoredRollout,
  what: RolloutAction,
  {
    by,
    now,
  }: { readonly by: { readonly id: number; readonly name: string | null } | null; readonly now: Date },
): Promise<StoredRollout> {
  const state = stateOf(rollout);
  const { outbox } = change;
  const { data, event } = toldOf(file, rollout.version);
  switch (what.action) {
    case 'advance': {
      const begun = begunOf(rollout);
      if (state !== 'running' || what.stage !== begun + 1 || isOverLimit(rollout, rollout)) {
        throw new AppError('E40034');
      }
      const next = withNextStage(rollout, now);
      await saveCourse(change, next);
      appendAdvanced(change, file, next, begun);
      await touchFile(change, file.id);
      return next;
    }
    case 'halt':
      if (state !== 'running' && state !== 'done') throw new AppError('E40034');
      return haltRollout(change, file, rollout, { by, now });
    case 'resume': {
      if (state !== 'halted') throw new AppError('E40034');
      const halted = { haltedAt: null, haltedBy: null, haltedByName: null };
      const counted = { round: rollout.round + 1, reports: 0, failures: 0 };
      const next = { ...rollout, ...halted, ...counted, state: 'open', waitsFrom: now } as const;
      await saveCourse(change, next, { ...halted, ...counted });
      outbox.append(fileEvents.fileRolloutResumed, { ...event, data });
      await touchFile(change, file.id);
      return next;
    }
    case 'cancel': {
      if (state === 'cancelled') throw new AppError('E40034');
      const next = { ...rollout, state: 'cancelled' } as const;
      await saveCourse(change, next);
      outbox.append(fileEvents.fileRolloutCancelled, { ...event, data });
      await touchFile(change, file.id);
      return next;
    }
  }
}

/** No further device gets the version. `by` is null where the limit of its failures is reached. */
export async function haltRollout(
  change: Change,
  file: RolledOut,
  rollout: StoredRollout,
  {
    by,
    now,
  }: { readonly by: { readonly id: number; readonly name: string | null } | null; readonly now: Date },
): Promise<StoredRollout> {
  const halted = { haltedAt: now, haltedBy: by?.id ?? null, haltedByName: by?.name ?? null };
  const next = { ...rollout, ...halted, state: 'halted' } as const;
  await saveCourse(change, next, halted);
  const { failures, reports } = rollout;
  const { data, event } = toldOf(file, rollout.version);
  change.outbox.append(fileEvents.fileRolloutHalted, {
    ...event,
    data: { ...data, reports, failures, haltedBy: by?.id ?? null },
  });
  await touchFile(change, file.id);
  return next;
}
