import { useEffect, useRef } from 'react';

/** A guard with its own texts that asks before leaving ends running work. */
export interface LeaveGuard {
  readonly title: string;
  readonly text: string;
  /** A verb: what leaving does. */
  readonly leaveLabel: string;
  /** What staying does, unless it is to stay on the page. */
  readonly stayLabel?: string;
  /** Ends the work. */
  onLeave(): void;
}

interface UnsavedWork {
  /** Whether going to the address would lose something; without one, whether anything that takes the page away would. */
  isLost(to?: string): boolean;
  guard?(to?: string): LeaveGuard | undefined;
}

const works = new Set<UnsavedWork>();
let reloading = false;

/** Whether the page holds unsaved work: input that was not submitted, or a running action. */
export function hasUnsavedWork(to?: string): boolean {
  return [...works].some((work) => work.isLost(to));
}

/** The guard of what going to the address would lose; without one, of what anything that takes the page away would. */
export function leaveGuard(to?: string): LeaveGuard | undefined {
  for (const work of works) {
    const guard = work.isLost(to) ? work.guard?.(to) : undefined;
    if (guard) return guard;
  }
  return undefined;
}

/** Lets a part of the page say whether it holds such work, as long as it is there. */
export function useUnsavedWork(isLost: UnsavedWork['isLost'], guard?: UnsavedWork['guard']): void {
  const latest = useRef({ isLost, guard });
  latest.current = { isLost, guard };
  useEffect(() => {
    const work: UnsavedWork = {
      isLost: (to) => latest.current.isLost(to),
      guard: (to) => latest.current.guard?.(to),
    };
    works.add(work);
    return () => void works.delete(work);
  }, []);
}

/** Asks, as far as browsers let a page do that, before a reload or the closing of the tab loses such work. */
export function warnBeforeUnload(): () => void {
  const warn = (event: BeforeUnloadEvent) => {
    if (!hasUnsavedWork() || reloading) return;
    event.preventDefault();
    // Shown by the few browsers that let a page say what will be lost.
    const { text } = leaveGuard() ?? {};
    if (text !== undefined) event.returnValue = text;
  };
  window.addEventListener('beforeunload', warn);
  return () => window.removeEventListener('beforeunload', warn);
}

/** Reloads without a question, as for a new version. */
export function reloadUnasked(): void {
  reloading = true;
  window.location.reload();
}
