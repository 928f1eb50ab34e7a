import { type FieldMessageKey, limits } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';

/** When players get which version of a file. Everything that they see follows from these values and the time. */
export interface Schedule {
  /** How many versions players have got; the number of the current one. */
  readonly version: number;
  readonly currentVersionId: number | null;
  /** A complete version that waits for `updateReservationAt`. */
  readonly reservedVersionId: number | null;
  readonly deliverReservationAt: Date | null;
  /** Stays when the update has taken effect. */
  readonly updateReservationAt: Date | null;
}

/** The schedule at `now`: a reserved version whose time has come is the current one. */
export function scheduleAt<S extends Schedule>(schedule: S, now: Date): S {
  const { reservedVersionId, updateReservationAt } = schedule;
  if (reservedVersionId === null || updateReservationAt === null || updateReservationAt > now)
    return schedule;
  return {
    ...schedule,
    version: schedule.version + 1,
    currentVersionId: reservedVersionId,
    reservedVersionId: null,
  };
}

/** Whether the groups of a file see it at `now`. */
export function isDelivered(schedule: Schedule, now: Date): boolean {
  const { currentVersionId, deliverReservationAt } = schedule;
  return currentVersionId !== null && (deliverReservationAt === null || deliverReservationAt <= now);
}

/**
 * Sets or clears the time of delivery. A new time must be at least ten minutes ahead and not after a pending update.
 * @throws AppError `E40002` or `E40025` on `updateReservationAt`, where the screens show both reservations' errors
 */
export function reserveDelivery<S extends Schedule>(
  schedule: S,
  at: Date | null,
  context: { now: Date; updatePending: boolean },
): S {
  if (sameTime(at, schedule.deliverReservationAt)) return schedule;
  if (at !== null) {
    assertAhead(at, context.now, 'deliverPast');
    if (context.updatePending) assertOrder(at, schedule.updateReservationAt);
  }
  return { ...schedule, deliverReservationAt: at };
}

/**
 * Sets the time of the next update; `updatePending` says that one is reserved already, `withFile` that the upload of
 * its version comes along. A time that stays as it is may be near or past.
 * @throws AppError `E40003` where there is nothing to reserve, `E40002` or `E40025` on `updateReservationAt`
 */
export function reserveUpdate<S extends Schedule>(
  schedule: S,
  at: Date,
  context: { now: Date; updatePending: boolean; withFile: boolean },
): S {
  const unchanged = sameTime(at, schedule.updateReservationAt);
  if (!context.withFile && !context.updatePending) {
    // The edit screen sends what it was given: the time of an update that took effect long ago.
    if (unchanged) return schedule;
    throw new AppError('E40003', [
      { field: 'fileName', message: 'required' },
      { field: 'fileSize', message: 'required' },
    ]);
  }
  if (!(unchanged && context.updatePending)) assertAhead(at, context.now, 'updatePast');
  assertOrder(schedule.deliverReservationAt, at);
  return { ...schedule, updateReservationAt: at };
}

/**
 * What was asked for before, at a time that was ahead, is not made once that time has come.
 * @throws AppError `E40034`
 */
export function assertStillAhead(at: Date | null | undefined, now: Date): void {
  if (at && at <= now) throw new AppError('E40034');
}

function assertAhead(at: Date, now: Date, past: FieldMessageKey): void {
  if (at < now) throw fieldError('E40002', 'updateReservationAt', past);
  // Times on the wire are whole seconds; ten minutes from this second on are ahead enough.
  const thisSecond = Math.floor(now.getTime() / 1000) * 1000;
  if (at.getTime() < thisSecond + limits.reservationLeadTime) {
    throw fieldError('E40002', 'updateReservationAt', 'reservationTooSoon');
  }
}

function assertOrder(deliverAt: Date | null, updateAt: Date | null): void {
  if (deliverAt !== null && updateAt !== null && updateAt < deliverAt) {
    throw fieldError('E40025', 'updateReservationAt', 'updateBeforeDeliver');
  }
}

function sameTime(a: Date | null, b: Date | null): boolean {
  return a?.getTime() === b?.getTime();
}
