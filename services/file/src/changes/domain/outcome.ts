import { turnOf } from '../../rollouts/domain/place.ts';
import { isPlain, type Layer, type Plan, planOf } from '../../rollouts/domain/plan.ts';
import {
  begunOf,
  type Rollout,
  stateOf as rolloutStateOf,
  stagesOf,
  withNextStage,
} from '../../rollouts/domain/rollout.ts';
import { isDelivered, type Schedule } from '../../updates/domain/schedule.ts';
import { type AskedChange, bytesToCome, deliveryTime, isTimed } from './asked-change.ts';

/** What is there of a file at a moment, for the people of a tenant. */
export interface Standing {
  readonly fileId: number;
  /** Who gets which version, where not all get the current one. */
  readonly plan: Plan | null;
  /** The stages of the current version. */
  readonly rollout: Rollout | null;
  /** Those of the reserved one. */
  readonly reservedRollout: Rollout | null;
  /** As it is at that moment; null once the file is gone. */
  readonly schedule: Schedule | null;
  /** Ascending. */
  readonly groupIds: readonly number[];
  /** Whether an update is reserved that has not taken effect, its bytes complete or not. */
  readonly updatePending: boolean;
}

/** A standing, with the bytes of the versions that people get by it. */
export interface FoundStanding extends Standing {
  /** Null once the file is gone. */
  readonly name: string | null;
  readonly currentSize: number;
  /** Of each version that its stages give somebody. */
  readonly sizes: ReadonlyMap<number, number>;
  /** Of the version that is reserved or is being uploaded for it. */
  readonly reservedSize: number;
  /** Of the uploads that are not complete, the slots. */
  readonly openSlots: readonly string[];
}

/** Which groups get which version of a file. */
export interface Delivered {
  readonly groupIds: readonly number[];
  /** Null: nobody gets any. */
  readonly version: number | null;
  /** Where stages decide who gets which; null: all get the version. */
  readonly plan: Plan | null;
}

/**
 * Who gets what before and after a change. Of a change at a time, after it is as if that time were now, and so is the delivery of a
 * file that is still to be delivered: its groups have it for this. What ends a delivery is told as it is at this moment.
 */
export function outcomeOf(
  asked: AskedChange,
  before: Standing,
  after: Standing,
  now: Date,
): { had: Delivered; has: Delivered } {
  const time = movedDelivery(asked, before);
  const endsNow =
    asked.what === 'deletion' || asked.what === 'cancel_reservation' || asked.what === 'rollout';
  const atPresent = endsNow || time !== undefined;
  return {
    had: delivered(before, before.plan, before.schedule?.version ?? 0, {
      at: atPresent ? now : undefined,
      now,
    }),
    has: delivered(moved(after, time), planAfter(asked, after, now), versionAfter(asked, after), {
      at: presentAfter(before, { endsNow, now, time }),
      now,
    }),
  };
}

/** The new time of delivery, where it is another. */
function movedDelivery(asked: AskedChange, { schedule }: Standing): Date | null | undefined {
  const time = deliveryTime(asked);
  return time === undefined || time?.getTime() === schedule?.deliverReservationAt?.getTime()
    ? undefined
    : time;
}

/** Where the times of delivery count after a change: who has the file loses it until a new time that is ahead. */
function presentAfter(
  { schedule }: Standing,
  { endsNow, now, time }: { endsNow: boolean; now: Date; time: Date | null | undefined },
): Date | undefined {
  if (endsNow) return now;
  return time !== undefined && schedule !== null && isDelivered(schedule, now) ? now : undefined;
}

function moved(standing: Standing, time: Date | null | undefined): Standing {
  const { schedule } = standing;
  return time === undefined || schedule === null
    ? standing
    : { ...standing, schedule: { ...schedule, deliverReservationAt: time } };
}

function versionAfter(asked: AskedChange, { schedule, updatePending }: Standing): number {
  const isNext = bytesToCome(asked) !== undefined || (isTimed(asked) && updatePending);
  return (schedule?.version ?? 0) + (isNext ? 1 : 0);
}

/** Without `at` as if the time of delivery had come. */
function delivered(
  { groupIds, schedule }: Standing,
  plan: Plan | null,
  version: number,
  { at, now }: { at: Date | undefined; now: Date },
): Delivered {
  const isThere =
    schedule !== null && (at === undefined ? schedule.currentVersionId !== null : isDelivered(schedule, at));
  const staged = plan && at === undefined ? asBegun(plan, now) : plan;
  return { groupIds, version: isThere ? version : null, plan: staged && !isPlain(staged) ? staged : null };
}

/** With the first stage of the newest version, as if that were live. */
function asBegun({ fileId, layers }: Plan, now: Date): Plan {
  const [newest, ...others] = layers;
  if (!newest?.rollout || newest.rollout.state !== 'open' || begunOf(newest.rollout) > 0)
    return { fileId, layers };
  return planOf(fileId, [{ ...newest, rollout: withNextStage(newest.rollout, now) }, ...others]);
}

/** After a change that brings another version, as if it were live: its stages come before those of the version now. */
function planAfter(asked: AskedChange, after: Standing, now: Date): Plan | null {
  const { fileId, plan, schedule } = after;
  const version = versionAfter(asked, after);
  if (schedule === null || version === schedule.version) return plan;
  const current: Layer = {
    version: schedule.version,
    versionId: schedule.currentVersionId ?? 0,
    turn: turnOf({ fileId, version: schedule.version }),
    rollout: null,
  };
  const next: Layer = {
    version,
    versionId: schedule.reservedVersionId ?? 0,
    turn: turnOf({ fileId, version }),
    rollout: nextRollout(asked, after),
  };
  return asBegun(planOf(fileId, [next, ...(plan?.layers ?? [current])]), now);
}

/** The stages of the version that comes next; of bytes that are still to come, those of the call. */
function nextRollout(asked: AskedChange, { reservedRollout }: Standing): Rollout | null {
  if (bytesToCome(asked) === undefined || (asked.what !== 'file' && asked.what !== 'reservation')) {
    return reservedRollout;
  }
  const { rollout } = asked.body;
  if (rollout === undefined) return asked.what === 'reservation' ? reservedRollout : null;
  if (rollout === null) return null;
  return { stages: stagesOf(rollout), halt: rollout.halt ?? null, keeps: [], state: 'open', waitsFrom: null };
}

/** Whether a change was one of what people get: its name and its notes are not. */
export function isAnother(before: Standing, after: Standing): boolean {
  return stateOf(before) !== stateOf(after);
}

/** What a preview is held to: the versions of the file, its groups, its reservations and its stages. */
export function stateOf({ groupIds, reservedRollout, rollout, schedule }: Standing): string {
  return JSON.stringify([
    groupIds,
    stageOf(rollout),
    reservedRollout && [reservedRollout.stages, reservedRollout.halt],
    schedule && [
      schedule.version,
      schedule.currentVersionId,
      schedule.reservedVersionId,
      schedule.deliverReservationAt,
      schedule.updateReservationAt,
    ],
  ]);
}

/** What a preview of an action on stages is held to. */
export const stageOf = (rollout: Rollout | null): unknown =>
  rollout && [rolloutStateOf(rollout), begunOf(rollout), rollout.stages.length];
