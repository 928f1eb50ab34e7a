import { type ErrorCode, type FieldError, type FieldMessageKey, statusOf } from '@portal/contracts';

/**
 * The one error class of the product: a code of the catalogue and, where they apply, the fields at fault.
 * Everything else that is thrown is a defect and answers `E50001`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  /** Replaces the catalogue's message where a rule has a more precise one. */
  readonly messageKey: FieldMessageKey | undefined;
  /** The right password of somebody who has two factors: what their code goes with. */
  readonly challenge: string | undefined;
  /** That of the code, but for a method that is not there, or a condition of the request's headers that does not hold. */
  readonly status: number;

  constructor(
    code: ErrorCode,
    fields: readonly FieldError[] = [],
    options: { cause?: unknown; messageKey?: FieldMessageKey; status?: 405 | 412; challenge?: string } = {},
  ) {
    super(code, { cause: options.cause });
    this.code = code;
    this.fields = fields;
    this.messageKey = options.messageKey;
    this.challenge = options.challenge;
    this.status = options.status ?? statusOf(code);
  }
}

/** Whether a service could not be reached: what it was asked may go well a moment later. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'E50301';

/** An `AppError` about one field. */
export function fieldError(
  code: ErrorCode,
  field: string,
  message: FieldMessageKey,
  params?: Readonly<Record<string, string | number>>,
): AppError {
  return new AppError(code, [{ field, message, ...(params ? { params } : {}) }]);
}
