import type { ApiError } from '@portal/api-client';
import { QueryClient } from '@tanstack/react-query';
import { isTransient } from './api.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && isTransient(error),
        retryDelay: (failures) => 500 * 2 ** failures,
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false },
    },
  });
}
