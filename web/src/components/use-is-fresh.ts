import { useState } from 'react';
import { useIsTyped } from '../ui/flow/flow.tsx';

interface Asked {
  readonly data: unknown;
  readonly error: unknown;
  readonly isFetching: boolean;
}

/**
 * Whether a form may open that is filled from these. A form is filled once: with what is so now, not with what was asked for
 * earlier. Once open it stays, whatever is asked for again; what was typed before stands in it without waiting.
 */
export function useIsFresh(...queries: readonly Asked[]): boolean {
  const [isFresh, setIsFresh] = useState(useIsTyped());
  if (isFresh) return true;
  const isNow = queries.every(({ data, error, isFetching }) => data !== undefined && !error && !isFetching);
  if (isNow) setIsFresh(true);
  return isNow;
}
