import type { AppError } from '@portal/kernel';
import { Refusal } from '../../saml/domain/refusal.ts';

/** Why somebody was refused, as the log and the setting say: a word or a code, and what was found behind a colon. */
export const reasonOf = (error: Refusal | AppError): string =>
  error instanceof Refusal
    ? [error.reason, error.detail].filter((part) => part !== '').join(': ')
    : error.code;
