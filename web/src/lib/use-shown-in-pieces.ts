import { useDeferredValue } from 'react';

/**
 * Whether what has come is to be shown. An answer is rendered at a stroke, which blocks a phone for a while where it fills a page: what
 * waits for this hook is rendered in small pieces, behind what stands in its place.
 */
export function useShownInPieces(isThere: boolean): boolean {
  const isShown = useDeferredValue(isThere, false);
  return isThere && isShown;
}
