import {
  type ErrorCode,
  isErrorCode,
  type Language,
  type RouteContract,
  renamePath,
  serverErrorMessage,
  statusOf,
} from '@portal/contracts';

/**
 * `NETWORK`: no answer came; `TIMEOUT`: none in time; `INVALID_REPLY`: an answer that breaks the contract;
 * `UNEXPECTED`: an error of the client itself.
 */
export type ClientErrorCode = 'NETWORK' | 'TIMEOUT' | 'INVALID_REPLY' | 'UNEXPECTED';

export interface ApiFieldError {
  /** As the contract names it, with dots for nesting. */
  readonly field: string;
  readonly message: string;
}

interface ApiErrorInit {
  code: ErrorCode | ClientErrorCode;
  /** HTTP status; 0 when there was no answer. */
  status: number;
  message: string;
  fields?: readonly ApiFieldError[];
  requestId?: string | undefined;
  challenge?: string | undefined;
  cause?: unknown;
}

/** Every failure of a call but its cancellation by the caller. `message` is ready to be shown. */
export class ApiError extends Error {
  readonly code: ErrorCode | ClientErrorCode;
  readonly status: number;
  readonly fields: readonly ApiFieldError[];
  readonly requestId: string | undefined;
  /** With `E40103` alone: what the second step of a sign-in takes with the code. */
  readonly challenge: string | undefined;

  constructor(init: ApiErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'ApiError';
    this.code = init.code;
    this.status = init.status;
    this.fields = init.fields ?? [];
    this.requestId = init.requestId;
    this.challenge = init.challenge;
  }
}

const unexpected = { ja: '予期しないエラーが発生しました。', en: 'Unexpected error occurred.' };

/** What is told of a failure for which the server has no words: an outage is told as an error of the server. */
export const clientMessages: Readonly<Record<ClientErrorCode, Readonly<Record<Language, string>>>> = {
  NETWORK: serverErrorMessage,
  TIMEOUT: serverErrorMessage,
  INVALID_REPLY: unexpected,
  UNEXPECTED: unexpected,
};

/** A failure without a usable answer. */
export function clientError(
  code: ClientErrorCode,
  language: Language,
  detail: { status?: number; requestId?: string | undefined; cause?: unknown } = {},
): ApiError {
  return new ApiError({
    code,
    status: detail.status ?? 0,
    message: clientMessages[code][language],
    ...detail,
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The code that stands for a status whose body says nothing usable, as from a proxy that does not reach the product. */
function codeOfStatus(status: number): ErrorCode {
  if (status >= 500) return 'E50001';
  const code = `E${status}01`;
  return isErrorCode(code) ? code : 'E40001';
}

/** Reads the error document of an answer with a failure status; tolerates bodies that are none. */
export async function apiErrorOf(
  response: Response,
  language: Language,
  contract: RouteContract,
): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const document = isRecord(body) ? body : {};
  const code =
    typeof document.code === 'string' && isErrorCode(document.code)
      ? document.code
      : codeOfStatus(response.status);
  const errors = Array.isArray(document.errors) ? document.errors : [];
  const schemas = [contract.query, ...(contract.body ? [contract.body] : [])];
  return new ApiError({
    code,
    status: response.status === 0 ? statusOf(code) : response.status,
    // Every answer of the product has a message; one of a proxy in front of it is told as an outage or as unexpected.
    message: textOf(document.message) ?? (response.status >= 500 ? serverErrorMessage : unexpected)[language],
    fields: errors.filter(isRecord).flatMap(({ field, message }) => {
      const [name, said] = [textOf(field), textOf(message)];
      return name && said ? [{ field: renamePath(name, schemas, 'from'), message: said }] : [];
    }),
    requestId: textOf(document.request_id) ?? response.headers.get('x-request-id') ?? undefined,
    challenge: code === 'E40103' ? textOf(document.challenge) : undefined,
  });
}
