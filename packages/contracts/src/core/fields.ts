import { z } from 'zod';
import type { FieldMessageKey } from './errors.ts';
import { limits, maxId, packageExtensions } from './limits.ts';
import { allUserRoleBits, groupRoles } from './roles.ts';

/**
 * The building blocks of requests. A rule's `error` is a key of `fieldMessages`, so that server and browser tell
 * the same in the reader's language.
 */
const message = (key: FieldMessageKey) => ({ error: key });

/** Control characters other than tab and line breaks have no place in a note; NUL cannot even be stored. */
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/;

/**
 * What no text of one line holds: control characters, all that breaks a line, and what turns the direction of the text
 * around it. The marks of direction (U+200E, U+200F, U+061C) turn nothing but themselves, and names need them.
 */
const beyondOneLine = /[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/;
const isOneLine = (value: string) => !beyondOneLine.test(value);

/** A string of at most `max` UTF-16 units, of any number of lines, possibly empty: a note, or what is looked for. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !controlCharacters.test(value), message('controlCharacter'))
    .refine((value) => value.isWellFormed(), message('invalidValue'));

/** A string that must say something: absent, empty and blank are all "required". */
export const requiredText = (max: number) =>
  text(max).refine((value) => value.trim() !== '', message('required'));

/** A string of one line, possibly empty: whatever is stored to name something. */
export const oneLine = (max: number) => text(max).refine(isOneLine, message('controlCharacter'));

/** A string of one line that must say something. */
export const requiredLine = (max: number) => requiredText(max).refine(isOneLine, message('controlCharacter'));

/** A whole number in a path or a query, in decimal digits alone: what JavaScript reads as a number besides is none. */
const wholeNumber = <const S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value: number | string) =>
      typeof value === 'string' && !/^(0|[1-9]\d*)$/.test(value) ? Number.NaN : Number(value),
    schema,
  );

/** An id in a path or a query. Ids beyond what the database can hold become one that never exists. */
export const id = wholeNumber(
  z
    .number()
    .int()
    .min(1)
    .transform((value) => Math.min(value, maxId)),
);

/** An id in a body: a number, not a numeric string. */
export const bodyId = z
  .number()
  .int()
  .min(0)
  .transform((value) => Math.min(value, maxId));

export const email = z
  .string()
  .max(limits.emailMaxLength)
  .refine((value) => value !== '', message('required'))
  .pipe(z.email(message('email')));

export const loginUserId = z
  .string()
  .min(1, message('required'))
  .max(limits.loginUserIdMaxLength)
  .regex(/^[A-Za-z0-9_-]*$/, message('invaliduserid'));

/** At least 8 characters, letters and digits both, no spaces (specification, section 5). */
export function isValidPassword(value: string): boolean {
  return (
    value.length >= limits.passwordMinLength &&
    value.length <= limits.passwordMaxLength &&
    /[A-Za-z]/.test(value) &&
    /[0-9]/.test(value) &&
    !/\s/.test(value) &&
    !controlCharacters.test(value)
  );
}

export const newPassword = z
  .string()
  .refine((value) => value !== '', message('required'))
  .refine((value) => value === '' || isValidPassword(value), message('password8char'));

/** A password that is only compared, so any non-empty text will do. */
export const presentedPassword = z
  .string()
  .max(1024)
  .refine((value) => value !== '', message('required'));

/** A string that holds JSON, or nothing. */
export const jsonText = text(limits.jsonMaxLength).refine((value) => {
  // What is too long is refused already.
  if (value === '' || value.length > limits.jsonMaxLength) return true;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}, message('invalidjson'));

const dateTimePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** The wire form of a time: UTC, whole seconds. */
export function formatDateTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

export function formatNullableDateTime(date: Date | null): string | null {
  return date === null ? null : formatDateTime(date);
}

/** `YYYY-MM-DDTHH:mm:ssZ` in a request; becomes a `Date`. A day that does not exist is refused, and the year 0 too. */
export const dateTime = z
  .string()
  .refine((value) => {
    if (!dateTimePattern.test(value) || value.startsWith('0000')) return false;
    const date = new Date(value);
    return !Number.isNaN(date.getTime()) && formatDateTime(date) === value;
  }, message('invalidValue'))
  .transform((value) => new Date(value));

/** A time in an answer, already in its wire form. */
export const dateTimeText = z.string().meta({ format: 'date-time', example: '2026-11-21T09:00:00Z' });

/** The zone of the times in a CSV file, by its IANA name. */
export const timeZone = z
  .string()
  .max(64)
  .refine((value) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
    } catch {
      return false;
    }
  }, message('invalidValue'))
  .default('Asia/Tokyo');

export const userRole = z
  .number()
  .int()
  .min(0)
  // The bit operation alone would see the lowest 32 bits of a larger number.
  .refine((value) => value <= allUserRoleBits && (value & ~allUserRoleBits) === 0, message('invalidValue'));

export const groupRole = z.literal([...groupRoles]);

/** The extension of a file name in lower case, with its dot; empty when it has none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return dot <= 0 ? '' : fileName.slice(dot).toLowerCase();
}

export function isPackageName(fileName: string): boolean {
  return packageExtensions.some((extension) => extensionOf(fileName) === extension);
}

/** A plain file name: of one line, no path separator, at most 255 bytes in UTF-8. */
export const fileName = z
  .string()
  .refine((value) => value !== '', message('required'))
  .refine(
    (value) =>
      value === '' ||
      (value.isWellFormed() &&
        isOneLine(value) &&
        !/[/\\]/.test(value) &&
        value !== '.' &&
        value !== '..' &&
        value.trim() === value &&
        new TextEncoder().encode(value).length <= limits.fileNameMaxBytes),
    message('fileName'),
  );

/** A whole number of bytes; the rules about files that are too large or empty stand with the file domain. */
export const byteCount = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** `true` or `false` in a query. */
export const queryFlag = z
  .union([z.boolean(), z.enum(['true', 'false'])])
  .transform((value) => value === true || value === 'true');

/** The page that is asked for, from 1. */
export const pageNumber = wholeNumber(z.number().int().min(1).max(1_000_000)).prefault(1);

/** How many rows a page has. */
export const pageSize = wholeNumber(z.number().int().min(1).max(limits.maxPageSize)).prefault(
  limits.pageSize,
);

/** The paging of every list, with the order keys that this list knows. */
export const listQuery = <const K extends string>(orderKeys: readonly [K, ...K[]]) =>
  z.object({
    page: pageNumber,
    perPage: pageSize,
    orderKey: z.enum(orderKeys).default(orderKeys[0]),
    order: z.enum(['asc', 'desc']).default('desc'),
  });

/** The paging part of every list answer. */
export const pageReply = z.object({
  currentPage: z.number().int(),
  totalPage: z.number().int(),
  totalCount: z.number().int(),
});

export const idReply = z.object({ id: z.number().int() });
export const emptyReply = z.object({});

export const idName = z.object({ id: z.number().int(), name: z.string() });
