import { fromWire, type Language, limits, type RouteContract, type RouteReply } from '@portal/contracts';
import { type ApiError, apiErrorOf, clientError } from './api-error.ts';
import { type AnyRequest, addressOf, bodyOf, type CallRequest } from './request.ts';
import { newTraceId, newTraceparent } from './trace.ts';

export interface ApiClientOptions {
  /** Origin of the gateway without a trailing slash; empty for the page's own. */
  readonly baseUrl: string;
  /** The access token of the session, if there is one. */
  readonly getToken: () => string | undefined | Promise<string | undefined>;
  /** Read for every call, so that it may change. */
  readonly language: () => Language;
  /** `name/version`, sent as `X-Agent`. */
  readonly agent?: string;
  /** Runs before every call; what it throws is what the call throws. */
  readonly beforeRequest?: (contract: RouteContract) => Promise<void>;
  /**
   * Told of every 401 with the token that was refused. When it resolves to true there is another token, and the call,
   * which has had no effect, is made once more.
   */
  readonly onUnauthorized?: (
    error: ApiError,
    refused: string | undefined,
    contract: RouteContract,
  ) => Promise<boolean>;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds; 60,000 unless told. */
  readonly timeout?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Makes a repeated POST of the same body take effect once. */
  readonly idempotencyKey?: string;
  /** From `newTraceId`, for calls that are to be seen as one; each call is a trace of its own otherwise. */
  readonly traceId?: string;
}

export interface ApiClient {
  /** Calls a route and gives its checked answer in camelCase. Throws `ApiError`, or the caller's own abort. */
  call<C extends RouteContract>(contract: C, request: CallRequest<C> & CallOptions): Promise<RouteReply<C>>;
  /** The same with the raw answer of a success, for documents such as CSV whose bytes matter. */
  send<C extends RouteContract>(contract: C, request: CallRequest<C> & CallOptions): Promise<Response>;
}

/** What the answer of `contract` is; JSON unless its schema says so. */
function mediaTypeOf(contract: RouteContract): string {
  const declared = contract.response.meta()?.contentType;
  return typeof declared === 'string' ? declared : 'application/json';
}

export function createApiClient(options: ApiClientOptions): ApiClient {
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const timeout = options.timeout ?? limits.requestTimeout;

  const failureOf = (cause: unknown, caller: AbortSignal | undefined): unknown => {
    if (caller?.aborted) return cause;
    const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
    return clientError(timedOut ? 'TIMEOUT' : 'NETWORK', options.language(), { cause });
  };

  async function exchange<T>(
    contract: RouteContract,
    request: AnyRequest & CallOptions,
    read: (response: Response) => Promise<T>,
    isRepeat = false,
  ): Promise<T> {
    await options.beforeRequest?.(contract);
    const token = contract.access.kind === 'public' ? undefined : await options.getToken();
    const headers = new Headers({
      accept: mediaTypeOf(contract),
      'accept-language': options.language(),
      traceparent: newTraceparent(request.traceId ?? newTraceId()),
    });
    const body = bodyOf(contract, request);
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (options.agent !== undefined) headers.set('x-agent', options.agent);
    if (request.idempotencyKey !== undefined) headers.set('idempotency-key', request.idempotencyKey);

    const deadline = AbortSignal.timeout(timeout);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    let response: Response;
    try {
      response = await fetch(options.baseUrl + addressOf(contract, request), {
        method: contract.method,
        headers,
        signal,
        ...(body === undefined ? {} : { body }),
      });
      if (response.ok) return await read(response);
    } catch (cause) {
      throw failureOf(cause, request.signal);
    }
    const error = await apiErrorOf(response, options.language());
    if (error.status === 401 && (await options.onUnauthorized?.(error, token, contract)) && !isRepeat) {
      return exchange(contract, request, read, true);
    }
    throw error;
  }

  return {
    async call<C extends RouteContract>(
      contract: C,
      request: CallRequest<C> & CallOptions,
    ): Promise<RouteReply<C>> {
      const isJson = mediaTypeOf(contract) === 'application/json';
      const { content, status, requestId } = await exchange(contract, request, async (response) => ({
        content: await response.text(),
        status: response.status,
        requestId: response.headers.get('x-request-id') ?? undefined,
      }));
      try {
        const value: unknown = isJson ? fromWire(contract.response)(JSON.parse(content)) : content;
        return contract.response.parse(value) as RouteReply<C>;
      } catch (cause) {
        throw clientError('INVALID_REPLY', options.language(), { status, requestId, cause });
      }
    },

    send: (contract, request) => exchange(contract, request, (response) => Promise.resolve(response)),
  };
}
