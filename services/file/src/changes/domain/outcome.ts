import { isDelivered, type Schedule } from '../../updates/domain/schedule.ts';
import { type AskedChange, bytesToCome, deliveryTime, isTimed } from './asked-change.ts';

/** What is there of a file at a moment, for the people of a tenant. */
export interface Standing {
  /** As it is at that moment; null once the file is gone. */
  readonly schedule: Schedule | null;
  /** Ascending. */
  readonly groupIds: readonly number[];
  /** Whether an update is reserved that has not taken effect, its bytes complete or not. */
  readonly updatePending: boolean;
}

/** Which groups get which version of a file. */
export interface Delivered {
  readonly groupIds: readonly number[];
  /** Null: nobody gets any. */
  readonly version: number | null;
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
  const endsNow = asked.what === 'deletion' || asked.what === 'cancel_reservation';
  const atPresent = endsNow || time !== undefined;
  return {
    had: delivered(before, before.schedule?.version ?? 0, atPresent ? now : undefined),
    has: delivered(
      moved(after, time),
      versionAfter(asked, after),
      presentAfter(before, { endsNow, now, time }),
    ),
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

/** Without `now` as if the time of delivery had come. */
function delivered({ groupIds, schedule }: Standing, version: number, now: Date | undefined): Delivered {
  const isThere =
    schedule !== null &&
    (now === undefined ? schedule.currentVersionId !== null : isDelivered(schedule, now));
  return { groupIds, version: isThere ? version : null };
}

/** Whether a change was one of what people get: its name and its notes are not. */
export function isAnother(before: Standing, after: Standing): boolean {
  return stateOf(before) !== stateOf(after);
}

/** What a preview is held to: the versions of the file, its groups and its reservations. */
export function stateOf({ groupIds, schedule }: Standing): string {
  return JSON.stringify([
    groupIds,
    schedule && [
      schedule.version,
      schedule.currentVersionId,
      schedule.reservedVersionId,
      schedule.deliverReservationAt,
      schedule.updateReservationAt,
    ],
  ]);
}
