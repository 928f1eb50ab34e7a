import { useState } from 'react';

/** The paging of a table that is a part of a page: not in the address, which belongs to the page itself. */
export function usePaging() {
  const [{ page, perPage }, set] = useState({ page: 1, perPage: 10 });
  return {
    page,
    perPage,
    setPage: (next: number) => set({ page: next, perPage }),
    setPerPage: (next: number) => set({ page: 1, perPage: next }),
  };
}
