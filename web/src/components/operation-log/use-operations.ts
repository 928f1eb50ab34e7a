import { queryKey } from '@portal/api-client/query';
import { operationRoutes, type RouteInput, type RouteReply } from '@portal/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { useSession } from '../../lib/session/use-session.ts';

export type OperationRow = RouteReply<typeof operationRoutes.listOperationLogs>['operationLogs'][number];
type Query = RouteInput<typeof operationRoutes.listOperationLogs>['query'];

/** What the log is asked for, as it stands on the wire. */
export interface OperationQuery {
  readonly q?: string;
  readonly operation?: string;
  readonly result?: Query['result'];
  readonly start?: string;
  readonly end?: string;
  readonly targetKind?: Query['targetKind'];
  readonly targetId?: number;
}

/**
 * Operations, newest first: those of one's company, or for administrators of company `of`, or of all whom they may see. Each page goes on
 * where the last ended.
 */
export function useOperations(asked: OperationQuery, perPage: number, of?: number) {
  const api = useApi();
  const session = useSession();
  const pid = session?.kind === 'partner' ? session.partner.id : of;
  return useInfiniteQuery({
    queryKey:
      pid === undefined
        ? queryKey(operationRoutes.listAllOperationLogs, { query: asked })
        : queryKey(operationRoutes.listOperationLogs, { params: { pid }, query: asked }),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...asked, perPage, ...(pageParam !== null && { after: pageParam }) };
      return pid === undefined
        ? api.call(operationRoutes.listAllOperationLogs, { query, signal })
        : api.call(operationRoutes.listOperationLogs, { params: { pid }, query, signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}
