import { z } from 'zod';

/** A whole number as it is typed, with what is wrong with any other. */
export const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/\S/, { error: 'required', abort: true })
    .refine((typed) => /^\s*\d{1,9}\s*$/.test(typed) && Number(typed) >= from && Number(typed) <= to, {
      error: 'outOfRange',
    });
