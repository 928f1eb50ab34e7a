import {
  admits,
  fromWire,
  type Language,
  limits,
  mediaOf,
  type RouteContract,
  type RouteReply,
} from '@portal/contracts';
import { type ApiError, apiErrorOf, clientError } from './api-error.ts';
import { type AnyRequest, addressOf, bodyOf, type CallRequest } from './request.ts';
import { newTraceId, newTraceparent } from './trace.ts';

export interface ApiClientOptions {
  /** Origin of the gateway without a trailing slash; empty for the page's own. */
  readonly baseUrl: string;
  /** The access token of the session, if there is one. */
  readonly getToken: () => string | undefined | Promise<string | undefined>;
  /** The key of a tenant, for an app that has one instead of a session. */
  readonly getApiKey?: () => string | undefined | Promise<string | undefined>;
  /** Read for every call, so that it may change. */
  readonly language: () => Language;
  /** `name/version`, sent as `X-Agent`. */
  readonly agent?: string;
  /** Runs before every call; what it throws is what the call throws. */
  readonly beforeRequest?: (contract: RouteContract) => Promise<void>;
  /** Told of the headers of every answer, whatever it says. */
  readonly onAnswer?: (headers: Headers) => void;
  /** Told of every call that got no answer, unless its caller aborted it. */
  readonly onSilence?: () => Promise<void>;
  /**
   * Called for every 401 with the refused token, but not for the first half of a sign-in (`E40103`), which refuses none. If it resolves to true there is a new token, and the call,
   * which has had no effect, is made once more.
   */
  readonly onUnauthorized?: (
    error: ApiError,
    refused: string | undefined,
    contract: RouteContract,
  ) => Promise<boolean>;
  /** Told of every other refusal of a call that carried a token. */
  readonly onRefused?: (error: ApiError, contract: RouteContract) => void;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds; 60,000 by default. */
  readonly timeout?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Makes a repeated POST of the same body take effect once. */
  readonly idempotencyKey?: string;
  /** The key of the installation, for routes that take one. */
  readonly apiKey?: string;
  /** Of a versioned route: the version that a change is meant for. */
  readonly ifMatch?: string;
  /** Milliseconds for this call, where it may take longer than others. */
  readonly timeout?: number;
  /** Sends this call, such as one that tells how much of its body was sent. */
  readonly fetch?: typeof globalThis.fetch;
  /** From `newTraceId`, for calls that are to be seen as one; each call is a trace of its own otherwise. */
  readonly traceId?: string;
}

export interface ApiClient {
  /** Calls a route and gives its checked answer in camelCase. Throws `ApiError`, or the caller's own abort. */
  call<C extends RouteContract>(contract: C, request: CallRequest<C> & CallOptions): Promise<RouteReply<C>>;
  /** The same with the raw answer of a success, for documents such as CSV whose bytes matter. */
  send<C extends RouteContract>(contract: C, request: CallRequest<C> & CallOptions): Promise<Response>;
}

/** What the answers of `contract` may be. */
function acceptedBy({ replies }: RouteContract): string {
  const types = Object.values(replies).flatMap((schema) => {
    const media = mediaOf(schema);
    return 'types' in media ? media.types : [];
  });
  return types.length > 0 ? [...new Set(types)].join(', ') : '*/*';
}

/** What a body of `contract` is. */
function contentTypeOf({ body }: RouteContract, given: unknown): string {
  const media = body && mediaOf(body);
  if (media?.kind === 'bytes') return String(Object(given).type);
  return media && 'types' in media ? media.types[0] : 'application/json';
}

/** @throws Error if the answer breaks the contract */
function readAnswer({ replies, response }: RouteContract, status: number, content: string): unknown {
  const [, schema = response] = Object.entries(replies).find(([one]) => Number(one) === status) ?? [];
  switch (mediaOf(schema).kind) {
    case 'json':
      return schema.parse(fromWire(schema)(JSON.parse(content)));
    case 'nothing':
      return undefined;
    default:
      return schema.parse(content);
  }
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
    const token = admits(contract, 'public') ? undefined : await options.getToken();
    const headers = new Headers({
      accept: acceptedBy(contract),
      'accept-language': options.language(),
      traceparent: newTraceparent(request.traceId ?? newTraceId()),
    });
    const body = bodyOf(contract, request);
    if (body !== undefined) headers.set('content-type', contentTypeOf(contract, request.body));
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (options.agent !== undefined) headers.set('x-agent', options.agent);
    if (request.ifMatch !== undefined) headers.set('if-match', `"${request.ifMatch}"`);
    const apiKey = request.apiKey ?? (await options.getApiKey?.());
    if (apiKey !== undefined) headers.set('x-api-key', apiKey);
    if (request.idempotencyKey !== undefined) headers.set('idempotency-key', request.idempotencyKey);

    const address = options.baseUrl + addressOf(contract, request);
    const deadline = AbortSignal.timeout(request.timeout ?? timeout);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    let response: Response;
    try {
      response = await (request.fetch ?? fetch)(address, {
        method: contract.method,
        headers,
        signal,
        ...(body === undefined ? {} : { body }),
      });
      options.onAnswer?.(response.headers);
      if (response.ok) return await read(response);
    } catch (cause) {
      if (!request.signal?.aborted) void options.onSilence?.();
      throw failureOf(cause, request.signal);
    }
    const error = await apiErrorOf(response, options.language(), contract);
    const refusesToken = error.status === 401 && error.code !== 'E40103';
    if (refusesToken && (await options.onUnauthorized?.(error, token, contract)) && !isRepeat) {
      return exchange(contract, request, read, true);
    }
    if (!refusesToken && token !== undefined) options.onRefused?.(error, contract);
    throw error;
  }

  return {
    async call<C extends RouteContract>(
      contract: C,
      request: CallRequest<C> & CallOptions,
    ): Promise<RouteReply<C>> {
      const { content, status, requestId } = await exchange(contract, request, async (response) => ({
        content: await response.text(),
        status: response.status,
        requestId: response.headers.get('x-request-id') ?? undefined,
      }));
      try {
        return readAnswer(contract, status, content) as RouteReply<C>;
      } catch (cause) {
        throw clientError('INVALID_REPLY', options.language(), { status, requestId, cause });
      }
    },

    send: (contract, request) => exchange(contract, request, (response) => Promise.resolve(response)),
  };
}
