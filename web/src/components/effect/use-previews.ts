import { ApiError } from '@portal/api-client';
import { previewRoutes, type RouteReply } from '@portal/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isTransient, useApi } from '../../lib/api.ts';
import { usePartnerSession } from '../../lib/session/use-session.ts';
import type { AskedChange } from './use-preview.ts';

/** What is known of one of several changes: its effect, or why it would be refused. */
export interface Told {
  readonly effect?: RouteReply<typeof previewRoutes.previewChange>;
  readonly refusal?: ApiError;
}

/** So many are asked for at a time: a browser has six connections to a server. */
const atOnce = 4;

export interface Previews {
  /** By the ids of their files, once all are known. */
  readonly told: ReadonlyMap<number, Told> | undefined;
  readonly error: ApiError | null;
  /** How many are known. */
  readonly counted: number;
  readonly retry: () => void;
}

/** The effects of changes of several files, each by itself; in another `round` they are asked for anew. */
export function usePreviews(asked: readonly AskedChange[], round: number): Previews {
  const api = useApi();
  const { partner } = usePartnerSession();
  const [counted, setCounted] = useState(0);
  const query = useQuery({
    queryKey: [previewRoutes.previewChange.id, partner.id, JSON.stringify(asked), round],
    async queryFn({ signal }) {
      const told = new Map<number, Told>();
      const left = [...asked];
      setCounted(0);
      const work = async () => {
        for (let next = left.shift(); next; next = left.shift()) {
          const { change, fileId } = next;
          const params = { pid: partner.id, id: fileId };
          try {
            const effect = await api.call(previewRoutes.previewChange, { params, body: change, signal });
            told.set(fileId, { effect });
          } catch (error) {
            if (!(error instanceof ApiError) || isTransient(error)) throw error;
            told.set(fileId, { refusal: error });
          }
          setCounted(told.size);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return told;
    },
    enabled: asked.length > 0,
    // An effect that was true before is none.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return {
    told: query.data,
    error: query.isFetching ? null : query.error,
    counted,
    retry: () => void query.refetch(),
  };
}
