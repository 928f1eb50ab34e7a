import { describe, expect, it } from 'vitest';
import { reservationFault } from './reservation-rules.ts';

const now = new Date('2026-11-21T00:00:00Z');
const nothing = { deliverAt: '', updateAt: '' };
const context = { before: nothing, updatePending: false, withUpdateFile: true, now };

describe('the reservations of an edited file', () => {
  it('may be left out', () => {
    expect(reservationFault(nothing, { ...context, withUpdateFile: false })).toBeUndefined();
  });

  it('need a time when a file was chosen or an update is reserved', () => {
    expect(reservationFault(nothing, context)).toBe('required');
    expect(reservationFault(nothing, { ...context, withUpdateFile: false, updatePending: true })).toBe(
      'required',
    );
  });

  it('must be at least ten minutes ahead, and not past', () => {
    const update = (updateAt: string) => reservationFault({ ...nothing, updateAt }, context);
    expect(update('2026-11-20T23:59:59Z')).toBe('updatePast');
    expect(update('2026-11-21T00:09:59Z')).toBe('reservationTooSoon');
    expect(update('2026-11-21T00:10:00Z')).toBeUndefined();
    const deliver = (deliverAt: string) =>
      reservationFault({ ...nothing, deliverAt }, { ...context, withUpdateFile: false });
    expect(deliver('2026-11-20T23:59:59Z')).toBe('deliverPast');
    expect(deliver('2026-11-21T00:09:59Z')).toBe('reservationTooSoon');
    expect(deliver('2026-11-21T00:10:00Z')).toBeUndefined();
  });

  it('put the update not before the delivery', () => {
    const at = (updateAt: string) =>
      reservationFault({ deliverAt: '2026-11-22T00:00:00Z', updateAt }, context);
    expect(at('2026-11-21T23:59:59Z')).toBe('updateBeforeDeliver');
    expect(at('2026-11-22T00:00:00Z')).toBeUndefined();
  });

  it('may stay as they are when they are near or past', () => {
    const before = { deliverAt: '2026-11-01T00:00:00Z', updateAt: '2026-11-21T00:05:00Z' };
    const kept = { before, updatePending: true, withUpdateFile: false, now };
    expect(reservationFault(before, kept)).toBeUndefined();
  });
});
