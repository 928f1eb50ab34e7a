import {
  admits,
  type ErrorCode,
  errorCatalogue,
  type FieldError,
  type FieldMessageKey,
  fieldMessage,
  fieldMessages,
  type Language,
  languages,
  type RouteContract,
  renamePath,
} from '@portal/contracts';
import { AppError, type Logger } from '@portal/kernel';
import { StorageError } from '@portal/storage';
import { errorCodes } from 'fastify';

export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors: readonly {
    readonly field: string;
    readonly message: string;
    /** The message's key, for services among themselves. */
    readonly key?: FieldMessageKey;
  }[];
  /** With `E40103` alone. */
  readonly challenge?: string;
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

/** What an error reply needs to know of the request. */
interface RefusedRequest {
  readonly language: Language;
  readonly requestId: string;
  /** Of the requested route, if there is one. */
  readonly contract?: RouteContract | undefined;
}

export function errorBody(
  error: {
    code: ErrorCode;
    fields?: readonly FieldError[];
    messageKey?: AppError['messageKey'];
    challenge?: string | undefined;
  },
  { contract, language, requestId }: RefusedRequest,
): ErrorBody {
  const isInternal = contract !== undefined && admits(contract, 'internal');
  const schemas = contract ? [contract.query, ...(contract.body ? [contract.body] : [])] : [];
  return {
    code: error.code,
    message: error.messageKey
      ? fieldMessages[error.messageKey][language]
      : errorCatalogue[error.code][language],
    errors: (error.fields ?? []).map(({ field, message, params }) => ({
      field: renamePath(field, schemas, 'to'),
      message: fieldMessage(message, language, params),
      ...(isInternal ? { key: message } : {}),
    })),
    ...(error.challenge !== undefined && { challenge: error.challenge }),
    request_id: requestId,
  };
}

/** An error reply, in the product's format or in the error format of the route's contract. */
interface ErrorReply {
  readonly code: ErrorCode;
  readonly status: number;
  readonly contentType: string;
  readonly body: object;
}

/** The answer to whatever was thrown. What is not an `AppError` is a defect: logged whole, told as `E50001`. */
export function replyFor(error: unknown, request: RefusedRequest & { readonly logger: Logger }): ErrorReply {
  const { contract, logger, requestId } = request;
  const { refusal, status } = refusalOf(error);
  if (status >= 500) logger.error({ err: error, requestId }, 'Request failed');
  const body = errorBody(refusal, request);
  const format = contract?.errorFormat;
  if (!format) return { code: body.code, status, contentType: 'application/json; charset=utf-8', body };
  const { code, errors: fields, message } = body;
  return {
    code,
    contentType: `${format.contentType}; charset=utf-8`,
    ...format.write({ code, status, message, fields }),
  };
}

/** The code, fields and status for whatever was thrown. */
function refusalOf(error: unknown): { refusal: Pick<AppError, 'code'> & Partial<AppError>; status: number } {
  if (error instanceof AppError) return { refusal: error, status: error.status };
  if (error instanceof StorageError && error.reason === 'unavailable') {
    return { refusal: { code: 'E50301' }, status: 503 };
  }
  const status = httpStatusOf(error);
  // What is too long for an id names nothing, and no route has the method QUERY, of which this is asked first.
  if (status === 414 || error instanceof errorCodes.FST_ERR_ROUTE_MISSING_CONTENT_TYPE) {
    return { refusal: { code: 'E40401' }, status: 404 };
  }
  if (status !== undefined && status >= 400 && status < 500) {
    // What the HTTP layer refuses: broken JSON, a body too large, an unknown content type, too many requests.
    return { refusal: { code: 'E40001' }, status: keptStatuses.has(status) ? status : 400 };
  }
  return { refusal: { code: 'E50001' }, status: 500 };
}

/** Of the refusals of the HTTP layer, those that tell a client what to do. */
const keptStatuses: ReadonlySet<number> = new Set([412, 413, 416, 429]);

function httpStatusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}
