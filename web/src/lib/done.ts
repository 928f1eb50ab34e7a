import { useLocation } from 'react-router-dom';
import { z } from 'zod';

/** State of a navigation to a completion page: what it reports was done. A reload keeps it. */
export const done = { done: true } as const;

const stateOfDone = z.object({ done: z.literal(true) });

/** Whether the page was reached by doing what it reports. At a bookmarked address nothing was done. */
export function useIsDone(): boolean {
  return stateOfDone.safeParse(useLocation().state).success;
}
