import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { type FieldError, type FieldMessageKey, isFieldMessageKey } from './messages.ts';

type Issue = z.core.$ZodIssue;

const absent = (value: unknown) => value === undefined || value === null;

/** What chooses among the forms of a value: that is at the path of the issue, and the value is its input. */
const chosenBy = ({ discriminator, input }: Issue & { code: 'invalid_union' }): unknown =>
  discriminator === undefined ? input : Object(input)[discriminator];

function keyOf(issue: Issue): FieldMessageKey {
  if (isFieldMessageKey(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return absent(issue.input) ? 'required' : 'invalidType';
    case 'too_big':
      return issue.origin === 'string' ? 'tooLong' : 'outOfRange';
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array' ? 'required' : 'outOfRange';
    case 'invalid_union':
      return absent(chosenBy(issue)) ? 'required' : 'invalidValue';
    default:
      return absent(issue.input) ? 'required' : 'invalidValue';
  }
}

/** What the message is filled with; a rule of its own gives it as its `params`. */
function paramsOf(issue: Issue): Pick<FieldError, 'params'> {
  if (issue.code === 'too_big') return { params: { max: Number(issue.maximum) } };
  return issue.code === 'custom' && issue.params ? { params: issue.params } : {};
}

/**
 * The wrong fields of a failed parse, one entry a field (its first fault), in the order of the schema.
 * Parse with `reportInput: true`, so that an absent value can be told from a wrong one.
 */
export function fieldErrorsOf(error: z.core.$ZodError): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const issue of error.issues) {
    const field = issue.path.map(String).join('.');
    if (errors.has(field)) continue;
    const message = keyOf(issue);
    errors.set(field, {
      field,
      message,
      ...paramsOf(issue),
    });
  }
  return [...errors.values()];
}

/** Messages of what is absent: the first of a field by itself, the others of one of several fields. */
const absences: readonly FieldMessageKey[] = [
  'required',
  'idsOrFilter',
  'idsOrAll',
  'countWithFilter',
  'addOrRemove',
];

/** `E40003` when all that is wrong is absent or empty, else `E40002`. */
export function codeOf(errors: readonly FieldError[]): ErrorCode {
  return errors.length > 0 && errors.every((error) => absences.includes(error.message)) ? 'E40003' : 'E40002';
}
