import { Box } from '@chakra-ui/react';
import { Children, type ReactNode, startTransition, useEffect, useState } from 'react';

interface InTurnProps {
  /** All stand at once: somebody comes back to the page, and finds the place on it again. */
  atOnce: boolean;
  children: ReactNode;
}

/** A page in the background is never idle, and Safari tells nobody when it is. */
const withinMs = 500;

/** @returns what calls it off */
function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, withinMs / 10);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: withinMs });
  return () => cancelIdleCallback(asked);
}

/** Sections below the first view: each comes, and asks the server, when the browser has nothing to do for those above it. */
export function InTurn({ atOnce, children }: InTurnProps) {
  const all = Children.toArray(children);
  const [count, setCount] = useState(atOnce ? all.length : 0);
  const isWaiting = count < all.length;
  useEffect(() => {
    if (!isWaiting) return;
    return whenIdle(() => startTransition(() => setCount(count + 1)));
  }, [count, isWaiting]);
  return (
    <>
      {all.slice(0, count)}
      {/* As high as a page: a footer in view would jump when the next section comes. */}
      {isWaiting && <Box aria-hidden data-more-to-come="" minH="100dvh" />}
    </>
  );
}
