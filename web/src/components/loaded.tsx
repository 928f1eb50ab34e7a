import type { ReactNode } from 'react';
import type { ErrorInfo } from '../ui/feedback/error-info.tsx';
import { ErrorState } from '../ui/feedback/states.tsx';
import { Panel } from '../ui/page/panel.tsx';

interface LoadedProps<T> {
  query: { data: T | undefined; error: ErrorInfo | null; refetch: () => unknown };
  children: (data: T) => ReactNode;
}

/** What was answered, or why nothing was; figures that were there stay when the next look fails. */
export function Loaded<T>({ query: { data, error, refetch }, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data);
  if (!error) return null;
  return (
    <Panel>
      <ErrorState error={error} onRetry={() => void refetch()} />
    </Panel>
  );
}
