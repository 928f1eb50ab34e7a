import type { ApiError } from '@portal/api-client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isTransient } from './api.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}

const isGone = ({ status }: ApiError) => status === 404;

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    // What is there no more is not shown from memory.
    queryCache: new QueryCache({
      onError: (error, query) => isGone(error) && query.setState({ data: undefined }),
    }),
    // A change that did not find something: somebody else was quicker, so all that is on the page is looked at again.
    mutationCache: new MutationCache({
      onError: (error) => void (isGone(error) && client.invalidateQueries()),
    }),
    defaultOptions: {
      // What cannot be sent fails and says so: nothing waits unseen for the network, least of all a change.
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
