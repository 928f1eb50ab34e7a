import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** Removes what was asked about records that are gone: at once what no page shows, and the rest when this one is left. */
export function useForgetRecords(): (keys: readonly QueryKey[]) => void {
  const queries = useQueryClient();
  const gone = useRef<readonly QueryKey[]>([]);
  useEffect(
    () => () => {
      for (const queryKey of gone.current) queries.removeQueries({ queryKey });
    },
    [queries],
  );
  return (keys) => {
    gone.current = keys;
    // The page of the one that is gone is there, hidden, until the next one is: without its answers it would ask for them again.
    for (const queryKey of keys) queries.removeQueries({ queryKey, type: 'inactive' });
  };
}
