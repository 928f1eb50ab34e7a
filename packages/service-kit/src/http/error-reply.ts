import {
  type ErrorCode,
  errorCatalogue,
  type FieldError,
  type FieldMessageKey,
  fieldMessage,
  fieldMessages,
  type Language,
  languages,
  snakePath,
} from '@portal/contracts';
import { AppError, type Logger } from '@portal/kernel';
import { StorageError } from '@portal/storage';

export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors: readonly {
    readonly field: string;
    readonly message: string;
    /** The message's key, for services among themselves. */
    readonly key?: FieldMessageKey;
  }[];
  readonly request_id: string;
}

/** Nobody reads more languages than this holds. */
const longestAcceptLanguage = 255;

/** The language of the messages that a client asked for; Japanese unless it prefers English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  if (!acceptLanguage) return 'ja';
  const preferred = acceptLanguage
    .slice(0, longestAcceptLanguage)
    .split(',')
    .map((part) => {
      const [tag = '', ...params] = part.trim().split(';');
      const quality = params
        .find((param) => param.trim().startsWith('q='))
        ?.trim()
        .slice(2);
      return { tag: tag.toLowerCase().split('-')[0], quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .find(({ tag }) => languages.some((language) => language === tag));
  return preferred?.tag === 'en' ? 'en' : 'ja';
}

export function errorBody(
  error: { code: ErrorCode; fields?: readonly FieldError[]; messageKey?: AppError['messageKey'] },
  request: { language: Language; requestId: string; internal?: boolean },
): ErrorBody {
  const { language, requestId } = request;
  return {
    code: error.code,
    message: error.messageKey
      ? fieldMessages[error.messageKey][language]
      : errorCatalogue[error.code][language],
    errors: (error.fields ?? []).map(({ field, message, params }) => ({
      field: snakePath(field),
      message: fieldMessage(message, language, params),
      ...(request.internal ? { key: message } : {}),
    })),
    request_id: requestId,
  };
}

/** The status and body for whatever was thrown. What is not an `AppError` is a defect: logged whole, told as `E50001`. */
export function replyFor(
  error: unknown,
  request: { language: Language; requestId: string; internal?: boolean; logger: Logger },
): { status: number; body: ErrorBody } {
  const { requestId, logger } = request;
  if (error instanceof AppError) {
    if (error.status >= 500) logger.error({ err: error, requestId }, 'Request failed');
    return { status: error.status, body: errorBody(error, request) };
  }
  if (error instanceof StorageError && error.reason === 'unavailable') {
    return replyFor(new AppError('E50301', [], { cause: error }), request);
  }
  const status = httpStatusOf(error);
  // What is too long for an id names nothing.
  if (status === 414) return replyFor(new AppError('E40401'), request);
  if (status !== undefined && status >= 400 && status < 500) {
    // What the HTTP layer refuses: broken JSON, a body too large, an unknown content type, too many requests.
    return { status: keptStatuses.has(status) ? status : 400, body: errorBody({ code: 'E40001' }, request) };
  }
  logger.error({ err: error, requestId }, 'Request failed');
  return { status: 500, body: errorBody({ code: 'E50001' }, request) };
}

/** Of the refusals of the HTTP layer, those that tell a client what to do. */
const keptStatuses: ReadonlySet<number> = new Set([412, 413, 416, 429]);

function httpStatusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}
