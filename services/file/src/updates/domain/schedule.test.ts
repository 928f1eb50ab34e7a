import { AppError } from '@portal/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDelivered, reserveDelivery, reserveUpdate, type Schedule, scheduleAt } from './schedule.ts';

const now = new Date('2026-11-21T09:00:00Z');
const minute = 60_000;
const at = (minutes: number) => new Date(now.getTime() + minutes * minute);

const complete: Schedule = {
  version: 1,
  currentVersionId: 1,
  reservedVersionId: null,
  deliverReservationAt: null,
  updateReservationAt: null,
};

function refusal(work: () => unknown): {
  code: string;
  field: string | undefined;
  message: string | undefined;
} {
  try {
    work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, field: error.fields[0]?.field, message: error.fields[0]?.message };
  }
  throw new Error('It was not refused');
}

const someTime = fc.option(fc.integer({ min: -100, max: 100 }).map(at), { nil: null });
const someSchedule: fc.Arbitrary<Schedule> = fc.record({
  version: fc.integer({ min: 1, max: 9 }),
  currentVersionId: fc.constant(1),
  reservedVersionId: fc.constantFrom(null, 2),
  deliverReservationAt: someTime,
  updateReservationAt: someTime,
});
const someMoment = fc.integer({ min: -200, max: 200 }).map(at);

describe('What players see', () => {
  it('follows from the times: once a version took effect it stays, and asking twice changes nothing', () => {
    fc.assert(
      fc.property(someSchedule, someMoment, someMoment, (schedule, a, b) => {
        const [earlier, later] = a < b ? [a, b] : [b, a];
        const settled = scheduleAt(schedule, earlier);
        expect(scheduleAt(settled, earlier)).toEqual(settled);
        // Whether a job wrote it down in between makes no difference.
        expect(scheduleAt(settled, later)).toEqual(scheduleAt(schedule, later));
        expect(isDelivered(settled, later)).toBe(isDelivered(schedule, later));
        expect(settled.version).toBeLessThanOrEqual(scheduleAt(schedule, later).version);
        if (isDelivered(schedule, earlier)) expect(isDelivered(schedule, later)).toBe(true);
      }),
    );
  });

  it('is nothing before the first version is complete', () => {
    expect(isDelivered({ ...complete, currentVersionId: null }, now)).toBe(false);
    expect(isDelivered(complete, now)).toBe(true);
    expect(isDelivered({ ...complete, deliverReservationAt: at(1) }, now)).toBe(false);
    expect(isDelivered({ ...complete, deliverReservationAt: now }, now)).toBe(true);
  });
});

describe('A reservation of delivery', () => {
  const context = { now, updatePending: false };
  const field = 'updateReservationAt';

  it('is at least ten minutes ahead, unless it stays as it is or is cleared', () => {
    expect(refusal(() => reserveDelivery(complete, at(-1), context))).toEqual({
      code: 'E40002',
      field,
      message: 'deliverPast',
    });
    expect(refusal(() => reserveDelivery(complete, at(9), context))).toEqual({
      code: 'E40002',
      field,
      message: 'reservationTooSoon',
    });
    expect(reserveDelivery(complete, at(10), context).deliverReservationAt).toEqual(at(10));
    const past = { ...complete, deliverReservationAt: at(-60) };
    expect(reserveDelivery(past, at(-60), context)).toBe(past);
    expect(reserveDelivery(past, null, context).deliverReservationAt).toBeNull();
  });

  it('is not after an update that is pending; one that took effect does not matter', () => {
    const reserved = { ...complete, updateReservationAt: at(30) };
    expect(refusal(() => reserveDelivery(reserved, at(31), { now, updatePending: true }))).toEqual({
      code: 'E40025',
      field,
      message: 'updateBeforeDeliver',
    });
    expect(reserveDelivery(reserved, at(31), context).deliverReservationAt).toEqual(at(31));
  });
});

describe('A reservation of an update', () => {
  const withFile = { now, updatePending: false, withFile: true };
  const pending = { now, updatePending: true, withFile: false };
  const field = 'updateReservationAt';

  it('is at least ten minutes ahead and not before the delivery', () => {
    expect(refusal(() => reserveUpdate(complete, at(-1), withFile))).toEqual({
      code: 'E40002',
      field,
      message: 'updatePast',
    });
    expect(refusal(() => reserveUpdate(complete, at(9), withFile))).toEqual({
      code: 'E40002',
      field,
      message: 'reservationTooSoon',
    });
    const later = { ...complete, deliverReservationAt: at(60) };
    expect(refusal(() => reserveUpdate(later, at(59), withFile)).code).toBe('E40025');
    expect(reserveUpdate(later, at(60), withFile).updateReservationAt).toEqual(at(60));
  });

  it('moves alone only where one is pending', () => {
    expect(refusal(() => reserveUpdate(complete, at(20), { ...withFile, withFile: false })).code).toBe(
      'E40003',
    );
    const reserved = { ...complete, updateReservationAt: at(5), reservedVersionId: 2 };
    expect(reserveUpdate(reserved, at(5), pending)).toEqual(reserved);
    expect(reserveUpdate(reserved, at(30), pending).updateReservationAt).toEqual(at(30));
    const past = { ...complete, updateReservationAt: at(-5) };
    expect(reserveUpdate(past, at(-5), { ...pending, updatePending: false })).toBe(past);
    expect(refusal(() => reserveUpdate(past, at(-5), withFile)).message).toBe('updatePast');
  });

  it('never leaves an update before the delivery, nor moves a time to less than ten minutes ahead', () => {
    fc.assert(
      fc.property(someSchedule, someMoment, fc.boolean(), (schedule, time, withNew) => {
        const updatePending = schedule.reservedVersionId !== null;
        try {
          const reserved = reserveUpdate(schedule, time, { now, updatePending, withFile: withNew });
          if (reserved === schedule) return;
          const { deliverReservationAt, updateReservationAt } = reserved;
          if (deliverReservationAt && updateReservationAt)
            expect(updateReservationAt >= deliverReservationAt).toBe(true);
          if (time.getTime() !== schedule.updateReservationAt?.getTime()) expect(time >= at(10)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});
