import { fileEvents } from '@portal/contracts';
import type { Change } from '../../files/data/changes.ts';
import type { File } from '../../files/data/file-repository.ts';
import { type StoredRollout, saveCourse, storedRollouts } from '../data/rollout-repository.ts';
import { begunOf, rolloutAt } from '../domain/rollout.ts';
import { type RolledOut, toldOf } from './rollout-events.ts';

/**
 * Writes down which stages have begun by themselves, and tells of them. Players have been seeing it since their time had come.
 * Answers the rollouts of the file, the newest version first.
 */
export async function settleRollouts(change: Change, file: File, now: Date): Promise<StoredRollout[]> {
  if (!file.isStaged) return [];
  const settled: StoredRollout[] = [];
  for (const rollout of await storedRollouts(change, file.id, now)) {
    // Of a version that is not written down as live nothing is written down either.
    const at = rollout.active && rollout.isWritten ? rolloutAt(rollout, rollout.course, now) : rollout;
    if (at !== rollout) {
      await saveCourse(change, at);
      appendAdvanced(change, file, at, begunOf(rollout));
    }
    settled.push(at);
  }
  return settled;
}

/** Tells of the stages of a rollout that have begun since there were `before` of them. */
export function appendAdvanced(
  { outbox }: Change,
  file: RolledOut,
  rollout: Pick<StoredRollout, 'stages' | 'version'>,
  before: number,
): void {
  const begun = begunOf(rollout);
  const { data, event } = toldOf(file, rollout.version);
  for (const [index, { groupIds, percent }] of rollout.stages.entries()) {
    if (index < before || index >= begun) continue;
    outbox.append(fileEvents.fileRolloutAdvanced, {
      ...event,
      data: {
        ...data,
        stage: index + 1,
        percent,
        groupIds: groupIds && [...groupIds],
        isLast: index + 1 === rollout.stages.length,
      },
    });
  }
}
