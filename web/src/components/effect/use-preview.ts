import { ApiError } from '@portal/api-client';
import { limits, previewRoutes, type RouteReply, type RouteRequest } from '@portal/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { usePartnerSession } from '../../lib/session/use-session.ts';

/** A change of a file, as the call that makes it would be told. */
export type PreviewedChange = RouteRequest<typeof previewRoutes.previewChange>['body'];

export interface AskedChange {
  readonly fileId: number;
  readonly change: PreviewedChange;
}

export interface Preview {
  readonly effect: RouteReply<typeof previewRoutes.previewChange> | undefined;
  /** Why it cannot be told: mostly why the change would be refused. */
  readonly error: ApiError | null;
  /** The number of the look that comes next, while the upload is being completed. */
  readonly attempt?: number | undefined;
  /** It was another one when it was looked at first. */
  readonly hasChanged: boolean;
  readonly retry: () => void;
  /** Whether a change was refused because it has another effect by now, which is asked for then. */
  readonly isOutdatedBy: (error: unknown) => boolean;
}

/** Whether a change was refused because it has another effect by now, or its preview is too old. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 'E40034' &&
  error.fields.some(({ field }) => field === 'previewToken');

/** The effect that a change would have now; undefined asks for nothing. */
export function usePreview(asked: AskedChange | undefined): Preview {
  const api = useApi();
  const { partner } = usePartnerSession();
  const key = JSON.stringify(asked);
  const [outdated, setOutdated] = useState<string>();
  const queries = useQueryClient();
  const isAsked = asked !== undefined;
  useEffect(() => {
    if (!isAsked) setOutdated(undefined);
  }, [isAsked]);
  const query = useQuery({
    queryKey: [previewRoutes.previewChange.id, partner.id, key],
    queryFn({ signal }) {
      if (!asked) throw new Error('Nothing is asked');
      return api.call(previewRoutes.previewChange, {
        params: { pid: partner.id, id: asked.fileId },
        body: asked.change,
        signal,
      });
    },
    enabled: isAsked,
    // An effect that was true before is none.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    // While the upload is being completed, as the change itself would.
    retry: (failures, { code, status }) =>
      code === 'E40019'
        ? failures + 1 < limits.assignmentAttempts
        : failures < 2 && (status === 0 || status >= 502),
    retryDelay: limits.assignmentRetryDelay,
  });
  // The file or a group is gone: the page is to know it, too.
  const isGone = query.error?.status === 404;
  useEffect(() => {
    if (!isGone) return;
    const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) =>
      queryKey[0] !== previewRoutes.previewChange.id;
    void queries.invalidateQueries({ predicate: isOther });
  }, [isGone, queries]);
  return {
    effect: query.isRefetching ? undefined : query.data,
    error: query.isFetching ? null : query.error,
    attempt: query.failureReason?.code === 'E40019' && query.isFetching ? query.failureCount + 1 : undefined,
    hasChanged: isAsked && outdated === key,
    retry: () => void query.refetch(),
    isOutdatedBy(error) {
      if (!isOutdated(error)) return false;
      setOutdated(key);
      void query.refetch();
      return true;
    },
  };
}
