import { useEffect } from 'react';
import type { ListState } from './use-list-state.ts';

/**
 * Steps back when the last rows of the last page are gone. The page that is no more leaves the history too: the way back would lead to
 * it, and it forward again.
 */
export function usePageWithin(
  list: Pick<ListState, 'page' | 'setPage'>,
  query: { readonly isPlaceholderData: boolean },
  totalPage: number | undefined,
): void {
  const { page, setPage } = list;
  // What stands in the place of an answer is that of another list.
  const last = query.isPlaceholderData ? undefined : totalPage;
  useEffect(() => {
    if (last !== undefined && page > 1 && page > last) setPage(Math.max(1, last), true);
  }, [page, setPage, last]);
}
