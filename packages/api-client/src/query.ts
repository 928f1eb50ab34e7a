import type { RouteContract, RouteReply } from '@portal/contracts';
import type { ApiClient } from './client.ts';
import type { AnyRequest, CallRequest } from './request.ts';

/** The TanStack Query key of a call; its first element, the route's id, invalidates all calls of the route. */
export type QueryKey = readonly [route: string, params: unknown, query: unknown];

export function queryKey<C extends RouteContract>(contract: C, request: CallRequest<C>): QueryKey {
  const { params, query }: AnyRequest = request;
  return [contract.id, params ?? {}, query ?? {}];
}

/** Options for `useQuery`; the library itself is not needed here. */
export function queryOptions<C extends RouteContract>(
  client: ApiClient,
  contract: C,
  request: CallRequest<C>,
) {
  return {
    queryKey: queryKey(contract, request),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<RouteReply<C>> =>
      client.call(contract, { ...request, signal }),
  };
}
