import { fieldError } from '@portal/kernel';

/**
 * A moment in the life of a tenant: the numbers of its last change and of the last one of applications that had happened, and the
 * time in milliseconds.
 */
export interface Moment {
  readonly change: number;
  readonly applications: number;
  readonly time: number;
}

/** The beginning: a player with this cursor has nothing yet. */
export const beginning: Moment = { change: -1, applications: 0, time: 0 };

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

const form = 2;
/** From before there were applications. */
const formerForm = 1;

/** An opaque text for its owner. It grants nothing: each answer is determined again. */
export function encodeCursor({ partnerId, userId }: Owner, { upTo, rest }: Cursor): string {
  const values = [form, partnerId, userId, ...valuesOf(upTo)];
  if (rest) values.push(rest.after, ...valuesOf(rest.from));
  return textOf(values);
}

const valuesOf = ({ applications, change, time }: Moment) => [change, applications, time];
const textOf = (values: readonly number[]) => Buffer.from(values.join('.')).toString('base64url');

/** @throws AppError `E40002` on `since` for a text that is no cursor, or somebody else's */
export function decodeCursor({ partnerId, userId }: Owner, text: string): Cursor {
  const given = Buffer.from(text, 'base64url').toString('latin1').split('.').map(Number);
  const [itsForm, itsPartnerId, itsUserId, ...moments] = given;
  const values = itsForm === formerForm ? withApplications(moments) : moments;
  const [change = 0, applications = 0, time = 0, after, fromChange = 0, fromApplications = 0, fromTime = 0] =
    values;
  const upTo = { change, applications, time };
  const from = { change: fromChange, applications: fromApplications, time: fromTime };
  const genuine =
    (itsForm === form || itsForm === formerForm) &&
    itsPartnerId === partnerId &&
    itsUserId === userId &&
    (values.length === 3 || values.length === 7) &&
    given.every((value) => Number.isSafeInteger(value)) &&
    textOf(given) === text &&
    change >= 0 &&
    (after ?? 0) >= 0 &&
    fromChange >= beginning.change &&
    Math.min(applications, fromApplications) >= 0 &&
    isTime(time) &&
    isTime(fromTime);
  if (!genuine) throw fieldError('E40002', 'since', 'invalidValue');
  return after === undefined ? { upTo } : { upTo, rest: { after, from } };
}

/** Whoever has a cursor of the former form knows no application. */
function withApplications([change = Number.NaN, time = Number.NaN, ...rest]: readonly number[]): number[] {
  const [after, fromChange = Number.NaN, fromTime = Number.NaN] = rest;
  const upTo = [change, 0, time];
  return after === undefined ? upTo : [...upTo, after, fromChange, 0, fromTime];
}

/** The end of the year 9999, beyond which times are written in another form. */
const latestTime = 253_402_300_799_999;
const isTime = (time: number) => time >= 0 && time <= latestTime;
