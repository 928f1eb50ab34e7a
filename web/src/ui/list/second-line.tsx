import type { ReactNode } from 'react';

/** What stands below the name of a row. */
export function SecondLine({ children }: { children: ReactNode }) {
  return <span className="second-line">{children}</span>;
}
