import { type ApiClient, ApiError, type CallRequest, clientError } from '@portal/api-client';
import { queryOptions } from '@portal/api-client/query';
import type { RouteContract, RouteReply } from '@portal/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { currentLanguage } from './i18n.ts';

export const ApiContext = createContext<ApiClient | undefined>(undefined);

export function useApi(): ApiClient {
  const api = use(ApiContext);
  if (!api) throw new Error('ApiContext is missing');
  return api;
}

/** The answer of a route as a query. Its `error` is always an `ApiError`. */
export function useApiQuery<C extends RouteContract>(
  contract: C,
  request: CallRequest<C>,
  options: { enabled?: boolean; refetchInterval?: number; staleTime?: number } = {},
) {
  return useQuery({ ...queryOptions(useApi(), contract, request), ...options });
}

/** The same for lists: the previous page stays while the next one loads. `every` tells after how many milliseconds to look again. */
export function useApiList<C extends RouteContract>(
  contract: C,
  request: CallRequest<C>,
  every: (reply: RouteReply<C>) => number | false = () => false,
) {
  return useQuery({
    ...queryOptions(useApi(), contract, request),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data !== undefined && every(state.data),
  });
}

/** What people are told of `error`. One that no call has answered is a mistake in the client, whose words help nobody. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  console.error(error);
  return clientError('UNEXPECTED', currentLanguage(), { cause: error });
}

/** Worth a second try: the server or the way to it failed, not the request. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502);
}
