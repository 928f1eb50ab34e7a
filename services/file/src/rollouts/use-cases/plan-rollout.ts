import type { RolloutPlan } from '@portal/contracts';
import { fieldError } from '@portal/kernel';
import type { Change } from '../../files/data/changes.ts';
import { type File, touchFile } from '../../files/data/file-repository.ts';
import { lockDelivery } from '../../receipts/data/audience-repository.ts';
import { sortOutVersions } from '../../versions/data/life-repository.ts';
import { keepNeeded } from '../data/needed-versions.ts';
import {
  copyPlan,
  countByPlaces,
  dropPlan,
  endRollout,
  saveCourse,
  saveRollout,
  storedRollouts,
} from '../data/rollout-repository.ts';
import { isForAll, rolloutAt, stagesOf, stateOf } from '../domain/rollout.ts';
import { settleRollouts } from './settle-rollouts.ts';

/** What a change says of the stages of its version: absent, they stay; null: everyone gets it. */
export type PlannedRollout = RolloutPlan | null | undefined;

/** To be called before anything else of a change that may make a rollout: what is counted waits for its end. */
export async function beginPlanning({ db, partnerId }: Change, plan: PlannedRollout): Promise<void> {
  if (plan) await lockDelivery(db, [partnerId]);
}

/** So many versions of a file may go out in stages at once, one above the other: each is looked at for every device. */
const mostUnfinished = 10;

/**
 * Sets the stages of a version that is not live yet; `from`: the version whose stages it takes over where nothing is said of them;
 * `replaces`: the version that goes when it is there.
 * @throws AppError `E40034` on `rollout` where too many versions of the file go out in stages that are not done
 */
export async function planVersion(
  change: Change,
  fileId: number,
  versionId: number,
  plan: PlannedRollout,
  {
    from,
    now,
    replaces,
  }: { readonly from?: number | null; readonly replaces?: number | null; readonly now: Date },
): Promise<void> {
  if (plan === undefined) {
    if (from && from !== versionId) await copyPlan(change, from, versionId, now);
    return;
  }
  if (plan === null) {
    await dropPlan(change, versionId);
    return;
  }
  await assertFewUnfinished(change, fileId, [versionId, replaces ?? versionId], now);
  await countByPlaces(change, fileId);
  await saveRollout(change, {
    fileId,
    versionId,
    number: null,
    stages: stagesOf(plan),
    halt: plan.halt ?? null,
    keeps: [],
    now,
  });
}

async function assertFewUnfinished(
  change: Change,
  fileId: number,
  except: readonly number[],
  now: Date,
): Promise<void> {
  const unfinished = (await storedRollouts(change, fileId, now)).filter(
    (rollout) =>
      rollout.active &&
      !except.includes(rollout.versionId) &&
      !isForAll(rolloutAt(rollout, rollout.course, now)),
  );
  if (unfinished.length >= mostUnfinished) throw fieldError('E40034', 'rollout', 'rolloutsTooMany');
}

/**
 * Sets the stages of the current version of a file, for the groups that a call adds: those that had it before keep it.
 * @throws AppError `E40034` on `rollout` while those that it has are not done
 */
export async function planCurrent(
  change: Change,
  file: File,
  plan: PlannedRollout,
  groups: { readonly before: readonly number[]; readonly added: readonly number[] },
  now: Date,
): Promise<void> {
  const { currentVersionId } = file;
  if (currentVersionId === null) return;
  const rollout = (await settleRollouts(change, file, now)).find(
    ({ versionId }) => versionId === currentVersionId,
  );
  if (plan === undefined) {
    // Groups that come back fall under the stages that run.
    const keeps = rollout?.keeps.filter((id) => !groups.added.includes(id));
    if (rollout && keeps && keeps.length < rollout.keeps.length) {
      await saveCourse(change, { ...rollout, keeps });
      await touchFile(change, file.id);
    }
    return;
  }
  if (plan === null) {
    if (!rollout) return;
    // What was cancelled is so for good.
    if (rollout.state === 'cancelled') throw fieldError('E40034', 'rollout', 'rolloutRunning');
    await endRollout(change, currentVersionId);
  } else {
    if (rollout && stateOf(rollout) !== 'done') throw fieldError('E40034', 'rollout', 'rolloutRunning');
    await countByPlaces(change, file.id);
    await saveRollout(change, {
      fileId: file.id,
      versionId: currentVersionId,
      number: file.version,
      stages: stagesOf(plan),
      halt: plan.halt ?? null,
      keeps: groups.before,
      now,
    });
  }
  const staged = { ...file, isStaged: file.isStaged || plan !== null };
  await keepNeeded(change, staged, now);
  await sortOutVersions(change, file.id, now);
  await touchFile(change, file.id);
}
