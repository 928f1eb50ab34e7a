import type { z } from 'zod';
import { snakeKey } from '../core/case.ts';
import type { ErrorCode } from '../core/errors.ts';
import { foldCase } from '../core/fold-case.ts';
import { limits, maxId } from '../core/limits.ts';
import { type Fault, loginFaultOf, passwordFaultOf } from '../core/login.ts';
import type { FieldError } from '../core/messages.ts';
import { codeOf, fieldErrorsOf } from '../core/validation.ts';
import { userFields } from '../routes/user.ts';
import { withoutFormulaQuote } from './cells.ts';

/** The columns of a CSV file of users. The first row names them and is passed over, whatever it says. */
export const userCsvColumns = [
  'name',
  'email',
  'login_user_id',
  'password',
  'json',
  'group_ids',
  'delete_flag',
] as const;
/** The field of a fault; `csv` is the whole row. */
export type UserCsvField = (typeof userCsvColumns)[number] | 'csv';

/** A row that satisfies every rule that the row alone can show. */
export interface UserCsvRow {
  /** Empty in a row that deletes: there the login alone is looked at. */
  readonly name: string;
  readonly email: string | null;
  readonly loginUserId: string | null;
  /** Null: an existing user keeps the password. */
  readonly password: string | null;
  readonly json: string | null;
  readonly groupIds: readonly number[];
  readonly deletes: boolean;
}

export interface UserCsvFault extends Omit<FieldError, 'field'> {
  readonly field: UserCsvField;
  readonly code: ErrorCode;
}

/** Reads one row by the rules of creating a user: the row, or all that is wrong with it. */
export function readUserRow(cells: readonly string[]): UserCsvRow | readonly UserCsvFault[] {
  if (cells.length !== userCsvColumns.length) {
    const params = { columns: userCsvColumns.length, count: cells.length };
    return [{ field: 'csv', code: 'E40002', message: 'csvColumns', params }];
  }
  const [name = '', email = '', loginUserId = '', password = '', json = '', groupIds = '', flag = ''] =
    cells.map(withoutFormulaQuote);
  const login = { email: email || null, loginUserId: loginUserId || null };
  if (flag === '1') {
    const faults = [...faultsOf(loginFields, login), ...faultsTogether(loginFaultOf(login))];
    return faults.length > 0
      ? faults
      : { ...login, name: '', password: null, json: null, groupIds: [], deletes: true };
  }
  const ids = idsOf(groupIds);
  const person = { ...login, name, password, json: json || null, groupIds: ids ?? [] };
  const faults = [
    ...faultsOf(userFields, person),
    ...faultsTogether(loginFaultOf(login)),
    ...faultsTogether(passwordFaultOf(login, password)),
    ...(ids ? [] : [fault('E40002', { field: 'groupIds', message: 'csvGroupIds' })]),
    ...(flag === '0' ? [] : [fault('E40002', { field: 'deleteFlag', message: 'csvDeleteFlag' })]),
  ];
  return faults.length > 0 ? faults : { ...person, password: password || null, deletes: false };
}

/** What two rows must not share: the login, ignoring case. */
export function userRowKey({ email, loginUserId }: Pick<UserCsvRow, 'email' | 'loginUserId'>): string {
  return email === null ? `id ${foldCase(loginUserId ?? '')}` : `email ${foldCase(email)}`;
}

/** A first row that is one of data: the file lacks its header, and a user would be lost in silence. */
export function isHeaderMissing(firstRow: readonly string[]): boolean {
  return firstRow.length === userCsvColumns.length && ['0', '1'].includes(firstRow.at(-1) ?? '');
}

/** Ids, separated by commas; undefined for anything else. */
function idsOf(cell: string): number[] | undefined {
  if (cell.trim() === '') return [];
  // One more than allowed is enough to report the error.
  const ids = cell.split(',', limits.maxGroupsPerRequest + 1).map((text) => text.trim());
  return ids.every((text) => /^\d{1,15}$/.test(text))
    ? [...new Set(ids.map((text) => Math.min(Number(text), maxId)))]
    : undefined;
}

const loginFields = userFields.pick({ email: true, loginUserId: true });

function faultsOf(schema: z.ZodType, person: object): UserCsvFault[] {
  const { error } = schema.safeParse(person, { reportInput: true });
  return error ? fieldErrorsOf(error).map((wrong) => fault(codeOf([wrong]), wrong)) : [];
}

function faultsTogether(found: Fault | null): UserCsvFault[] {
  return found ? found.fields.map((wrong) => fault(found.code, wrong)) : [];
}

function fault(code: ErrorCode, { field, message, params }: FieldError): UserCsvFault {
  const [name = ''] = field.split('.');
  const column = userCsvColumns.find((known) => known === snakeKey(name));
  return { field: column ?? 'csv', code, message, ...(params ? { params } : {}) };
}
