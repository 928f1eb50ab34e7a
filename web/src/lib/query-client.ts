import type { ApiError } from '@portal/api-client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isTransient } from './api.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}

const isGone = ({ status }: ApiError) => status === 404;

/** `onForbidden` is told when a call was refused that the client took for allowed, or made without a look. */
export function createQueryClient(onForbidden: () => void): QueryClient {
  const told = (error: ApiError) => {
    if (error.code === 'E40301' || error.code === 'E40304') onForbidden();
  };
  const client = new QueryClient({
    // A record that no longer exists is not shown from the cache.
    queryCache: new QueryCache({
      onError(error, query) {
        told(error);
        if (isGone(error)) query.setState({ data: undefined });
      },
    }),
    // If a change found nothing, somebody else changed the data first, so all queries of the page are refetched.
    mutationCache: new MutationCache({
      onError(error) {
        told(error);
        if (isGone(error)) void client.invalidateQueries();
      },
    }),
    defaultOptions: {
      // A request that cannot be sent fails visibly; nothing waits silently for the network.
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && isTransient(error),
        retryDelay: (failures) => 500 * 2 ** failures,
        refetchOnWindowFocus: true,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}
