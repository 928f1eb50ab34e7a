import { z } from 'zod';
import { limits, maxId, packageExtensions } from './limits.ts';
import type { FieldMessageKey } from './messages.ts';
import { groupRoles, userRoles } from './roles.ts';
import { fieldName } from './wire.ts';

/**
 * The building blocks of requests. A rule's `error` is a key of `fieldMessages`, so that server and browser tell
 * the same in the reader's language.
 */
const message = (key: FieldMessageKey) => ({ error: key });

/*
 * Rules are regular expressions where they can be: the OpenAPI document then states them as well. What a regular expression
 * or a zod check cannot state, `meta` adds to the document.
 */

/** Control characters other than tab and line breaks have no place in a note; NUL cannot even be stored. */
const withoutControlCharacters = /^[^\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]*$/;

/**
 * What no text of one line holds: control characters, all that breaks a line, and what turns the direction of the text
 * around it. The marks of direction (U+200E, U+200F, U+061C) turn nothing but themselves, and names need them.
 */
const notOnOneLine = '\\u0000-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069';
const onOneLine = new RegExp(`^[^${notOnOneLine}]*$`);

/** The text as a line may hold it: a space for what it may not, and none around it. Possibly empty. */
export const toOneLine = (text: string): string =>
  text.replace(new RegExp(`[${notOnOneLine}]+`, 'g'), ' ').trim();

/** Characters as JSON Schema counts them: code points, of which some take two UTF-16 units. */
function characters(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** A string of at most `max` characters. */
const upTo = (max: number) =>
  z
    .string()
    .check(({ issues, value }) => {
      if (value.length <= max || (value.length <= 2 * max && characters(value) <= max)) return;
      issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value });
    })
    .meta({ maxLength: max });

/** A string of at most `max` characters, of any number of lines, possibly empty: a note, or what is looked for. */
export const text = (max: number) =>
  upTo(max)
    .regex(withoutControlCharacters, message('controlCharacter'))
    .refine((value) => value.isWellFormed(), message('invalidValue'));

/** A string that must say something: absent, empty and blank are all "required". */
export const requiredText = (max: number) =>
  text(max).min(1, message('required')).regex(/\S/, message('required'));

/** A string of one line, possibly empty: whatever is stored to name something. */
export const oneLine = (max: number) => text(max).regex(onOneLine, message('controlCharacter'));

/** A string of one line that must say something. */
export const requiredLine = (max: number) => requiredText(max).regex(onOneLine, message('controlCharacter'));

/** False for a text with a key or a certificate in PEM, put into the wrong field perhaps: names stand in lists, events and logs. */
export const holdsNoPem = (value: string): boolean => !value.includes('-----BEGIN ');

/** A whole number in a path or a query, in decimal digits only; other forms that JavaScript accepts are refused. */
const wholeNumber = <const S extends z.ZodType>(schema: S) =>
  z.preprocess((value: number | string | undefined) => {
    if (value === undefined) return undefined;
    return typeof value === 'string' && !/^(0|[1-9]\d*)$/.test(value) ? Number.NaN : Number(value);
  }, schema);

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

/** A group in a path or a query: its id, or 0 for everyone. */
export const groupId = wholeNumber(bodyId);

export const email = z
  .string()
  .min(1, message('required'))
  .max(limits.emailMaxLength)
  .regex(z.regexes.email, message('email'))
  .meta({ example: 'taro@example.com' });

/** An address as `email` has it, in a list. */
const listedAddress = String.raw`(?!\.)(?![^,]*\.\.)[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}`;

/** At most `most` e-mail addresses, separated by commas; possibly none. */
export const emailList = (most: number, max: number) =>
  oneLine(max)
    .regex(
      new RegExp(`^ *(?:${listedAddress}(?: *, *${listedAddress}){0,${most - 1}} *)?$`),
      message('emailList'),
    )
    .meta({ example: 'taro@example.com, hanako@example.com' });

/** The address of somebody who signs up; spaces around it are dropped. */
export const signUpAddress = z
  .string()
  .trim()
  .min(1, message('required'))
  .max(limits.emailMaxLength)
  .regex(z.regexes.email, message('email'))
  .meta({ example: 'taro@example.com' });

/** The addresses of an `emailList`. */
export function addressesIn(list: string): string[] {
  return list.trim() === '' ? [] : list.split(',').map((address) => address.trim());
}

export const loginUserId = z
  .string()
  .min(1, message('required'))
  .max(limits.loginUserIdMaxLength)
  .regex(/^[A-Za-z0-9_-]*$/, message('invaliduserid'));

/** Letters and digits both, no spaces (specification, section 5). */
const passwordRules = [/[A-Za-z]/, /[0-9]/, /^\S*$/, withoutControlCharacters];

export function isValidPassword(value: string): boolean {
  const length = characters(value);
  return (
    length >= limits.passwordMinLength &&
    length <= limits.passwordMaxLength &&
    passwordRules.every((rule) => rule.test(value))
  );
}

export const newPassword = z
  .string()
  .min(1, message('required'))
  .refine((value) => value === '' || isValidPassword(value), message('password8char'))
  .meta({
    minLength: limits.passwordMinLength,
    maxLength: limits.passwordMaxLength,
    allOf: passwordRules.map(({ source }) => ({ pattern: source })),
  });

/** A password that is only compared, so any non-empty text will do. */
export const presentedPassword = upTo(1024).min(1, message('required'));

/** A string that holds JSON, or nothing. */
export const jsonText = text(limits.jsonMaxLength)
  .refine((value) => {
    // What is too long is refused already.
    if (value === '' || characters(value) > limits.jsonMaxLength) return true;
    try {
      JSON.parse(value);
      return true;
    } catch {
      return false;
    }
  }, message('invalidjson'))
  .meta({ contentMediaType: 'application/json', description: 'JSON, or empty' });

/** The wire form of a time: UTC, whole seconds. */
export function formatDateTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

export function formatNullableDateTime(date: Date | null): string | null {
  return date === null ? null : formatDateTime(date);
}

const exampleTime = '2026-11-21T09:00:00Z';

/** `YYYY-MM-DDTHH:mm:ssZ` in a request; becomes a `Date`. A day that does not exist is refused, and the year 0 too. */
export const dateTime = z
  .string()
  .regex(z.regexes.datetime({ precision: 0 }), message('invalidValue'))
  .regex(/^(?!0000)/, message('invalidValue'))
  .meta({ format: 'date-time', example: exampleTime })
  .transform((value) => new Date(value));

/** A time in an answer, already in its wire form. */
export const dateTimeText = z.string().meta({ format: 'date-time', example: exampleTime });

/** Of a state: the owner counts it up with each change, in its transaction. A copy never goes back to a lower one. */
export const revision = z
  .number()
  .int()
  .optional()
  .describe('Grows with each change; absent in events from before it was kept');

/** The zone of the times in a CSV file, by its IANA name or as an offset. */
export const timeZone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9_+:/-]+$/, message('invalidValue'))
  .refine((value) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
    } catch {
      return false;
    }
  }, message('invalidValue'))
  .meta({ format: 'iana-time-zone', description: 'An IANA name, or an offset such as +09:00' })
  .default('Asia/Tokyo');

/** A zone in which days begin and end: its IANA name. Offsets are for CSV files alone. */
export const timeZoneName = timeZone
  .unwrap()
  .refine((value) => !/^[+-]/.test(value), message('invalidValue'))
  .meta({ format: 'iana-time-zone', description: 'An IANA name' })
  .default('Asia/Tokyo');

/** What somebody looks for in the one search box of a list: an id as a whole, or a part of a name. */
export const searchText = text(255);

/** Some of `values` in a query, separated by commas; what has one of them passes. */
export const oneOrMoreOf = <const V extends string>(values: readonly [V, ...V[]]) => {
  const isKnown = (value: string): value is V => values.some((known) => known === value);
  const one = `(${values.join('|')})`;
  return z
    .string()
    .max(255)
    .regex(new RegExp(`^${one}(,${one})*$`), message('invalidValue'))
    .transform((text) => [...new Set(text.split(','))].filter(isKnown))
    .meta({ description: `Several by comma: ${values.join(', ')}` });
};

export const userRole = z
  .number()
  .int()
  .min(0)
  .refine((value) => userRoles.includes(value), message('invalidValue'))
  .meta({ enum: userRoles });

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
  .min(1, message('required'))
  .regex(onOneLine, message('fileName'))
  .regex(/^[^/\\]*$/, message('fileName'))
  .regex(/^\S(?:.*\S)?$/, message('fileName'))
  .regex(/^(?!\.\.?$)/, message('fileName'))
  .refine(
    (value) => value.isWellFormed() && new TextEncoder().encode(value).length <= limits.fileNameMaxBytes,
    message('fileName'),
  )
  .meta({ maxLength: limits.fileNameMaxBytes, description: 'At most 255 bytes in UTF-8' });

/** The names with one of these extensions, in either case: JSON Schema has no flag for it. */
const namesEndingWith = (extensions: readonly string[]): string => {
  const either = extensions.map((extension) =>
    extension.slice(1).replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`),
  );
  return `.\\.(?:${either.join('|')})$`;
};

/** What the file domain accepts; it refuses others on `file`. */
export const packageName = fileName.meta({
  pattern: namesEndingWith(packageExtensions),
  example: 'product-tour.uap',
});
export const csvName = fileName.meta({ pattern: namesEndingWith(['.csv']), example: 'users.csv' });

/** A whole number of bytes; the file domain refuses 0 and more than `max` on `file`. */
export const byteCount = (max: number) =>
  z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ minimum: 1, maximum: max });

/** `X-Agent`: name/version. */
export const agentPattern = /^[\w.-]+\/[\w.+-]+$/;

/** The id of an event in a stream. */
export const eventIdPattern = /^(0|[1-9]\d{0,9})$/;

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
    orderKey: fieldName(orderKeys).default(orderKeys[0]),
    order: z.enum(['asc', 'desc']).default('desc'),
  });

/** The paging part of every list answer. */
export const pageReply = z.object({
  currentPage: z.number().int(),
  totalPage: z.number().int(),
  totalCount: z.number().int(),
});
export type PageReply = z.output<typeof pageReply>;

export const idReply = z.object({ id: z.number().int() });
export const emptyReply = z.object({});

export const idName = z.object({ id: z.number().int(), name: z.string() });

/** Ids in a query, separated by commas. */
export const idListText = z
  .string()
  .max(10_000)
  .regex(/^\d+(,\d+)*$/, { error: 'invalidValue' })
  .transform((value) => value.split(',').map((id) => Math.min(Number(id), maxId)));

/** Of an export: only these of the records that the other filters let pass. */
export const exportedIds = idListText
  .optional()
  .meta({ description: 'Only records with these ids, separated by commas' });
