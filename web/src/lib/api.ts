import { type ApiClient, ApiError, type CallRequest } from '@portal/api-client';
import { queryOptions } from '@portal/api-client/query';
import type { RouteContract } from '@portal/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';

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
  options: { enabled?: boolean; refetchInterval?: number } = {},
) {
  return useQuery({ ...queryOptions(useApi(), contract, request), ...options });
}

/** The same for lists: the previous page stays while the next one loads. */
export function useApiList<C extends RouteContract>(contract: C, request: CallRequest<C>) {
  return useQuery({ ...queryOptions(useApi(), contract, request), placeholderData: keepPreviousData });
}

/** Worth a second try: the server or the way to it failed, not the request. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502);
}
