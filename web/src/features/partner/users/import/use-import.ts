import { queryOptions } from '@portal/api-client/query';
import { type RouteReply, userRoutes } from '@portal/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { reportActivity } from '../../../../lib/activity.ts';
import { useApi } from '../../../../lib/api.ts';
import { idOf } from '../../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';

export type ImportState = RouteReply<typeof userRoutes.getUserImport>;

/** Whether an import does something to anybody. */
export function changesAnything({ createCount, deleteCount, updateCount }: ImportState): boolean {
  return createCount + updateCount + deleteCount > 0;
}

/** Milliseconds between two looks at an import. */
const pollMs = 5_000;
/** Small files are done in a moment: the first looks after a start, for the check as for the import itself, follow each other sooner. */
const firstPollMs = 1_000;
const firstPolls = 3;

/** The import that the address names, with `id` 0 where it names none; looked at again for as long as it is worked on. */
export function useImport() {
  const api = useApi();
  const { partner } = usePartnerSession();
  const [params] = useSearchParams();
  const id = idOf(params);
  /** How often was looked by the time it last stood still. */
  const looksBefore = useRef(0);
  const request = { params: { pid: partner.id }, query: { batchProcessId: id } };
  const query = useQuery({
    ...queryOptions(api, userRoutes.getUserImport, request),
    enabled: id > 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (data?.status !== 'processing') {
        looksBefore.current = dataUpdateCount;
        return false;
      }
      return dataUpdateCount - looksBefore.current <= firstPolls ? firstPollMs : pollMs;
    },
  });
  // Watching an import counts as activity.
  useEffect(() => reportActivity(), [query.dataUpdatedAt]);
  return { id, ...query };
}
