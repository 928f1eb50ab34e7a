import { fieldError } from '@portal/kernel';

/** A moment in the life of a tenant: the number of the last change that had happened, and the time in milliseconds. */
export interface Moment {
  readonly change: number;
  readonly time: number;
}

/** The beginning: a player with this cursor has nothing yet. */
export const beginning: Moment = { change: -1, time: 0 };

/**
 * How far a player is. With `rest` it is in the middle of a longer answer: it has the state of `upTo` for the files
 * up to the id `rest.after`, and that of `rest.from` for those beyond.
 */
export interface Cursor {
  readonly upTo: Moment;
  readonly rest?: { readonly after: number; readonly from: Moment };
}

interface Owner {
  readonly partnerId: number;
  readonly userId: number;
}

const form = 1;

/** An opaque text for its owner. It grants nothing: each answer is determined again. */
export function encodeCursor({ partnerId, userId }: Owner, { upTo, rest }: Cursor): string {
  const values = [form, partnerId, userId, upTo.change, upTo.time];
  if (rest) values.push(rest.after, rest.from.change, rest.from.time);
  return Buffer.from(values.join('.')).toString('base64url');
}

/** @throws AppError `E40002` on `since` for a text that is no cursor, or somebody else's */
export function decodeCursor({ partnerId, userId }: Owner, text: string): Cursor {
  const values = Buffer.from(text, 'base64url').toString('latin1').split('.').map(Number);
  const [, , , change = 0, time = 0, after, fromChange = 0, fromTime = 0] = values;
  const upTo = { change, time };
  const cursor: Cursor =
    after === undefined ? { upTo } : { upTo, rest: { after, from: { change: fromChange, time: fromTime } } };
  const genuine =
    values.every((value) => Number.isSafeInteger(value)) &&
    change >= 0 &&
    (after ?? 0) >= 0 &&
    fromChange >= beginning.change &&
    isTime(time) &&
    isTime(fromTime) &&
    encodeCursor({ partnerId, userId }, cursor) === text;
  if (!genuine) throw fieldError('E40002', 'since', 'invalidValue');
  return cursor;
}

/** The end of the year 9999, beyond which times are written in another form. */
const latestTime = 253_402_300_799_999;
const isTime = (time: number) => time >= 0 && time <= latestTime;
