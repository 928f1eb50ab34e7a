import { useDeferredValue, useState } from 'react';

/**
 * Whether what has come is to be shown. An answer is rendered at a stroke, which blocks a phone for a while where it fills a page: what
 * waits for this hook is rendered in small pieces, behind what stands in its place. What is known from before stands at once, so that
 * who comes back finds the place on the page again.
 */
export function useShownInPieces(isThere: boolean): boolean {
  const [wasThere] = useState(isThere);
  const isShown = useDeferredValue(isThere, false);
  return isThere && (wasThere || isShown);
}
