import { useEffect } from 'react';
import type { ListState } from './use-list-state.ts';

/** Steps back when the last rows of the last page are gone. */
export function usePageWithin(
  list: Pick<ListState, 'page' | 'setPage'>,
  totalPage: number | undefined,
): void {
  const { page, setPage } = list;
  useEffect(() => {
    if (totalPage !== undefined && page > 1 && page > totalPage) setPage(Math.max(1, totalPage));
  }, [page, setPage, totalPage]);
}
