import { createContext, use, useEffect } from 'react';
import type { VersionCheck } from './version-check.ts';

export const VersionContext = createContext<VersionCheck | undefined>(undefined);

/** No reload for a new version while `busy`, as during an upload. */
export function useReloadHold(busy: boolean): void {
  const version = use(VersionContext);
  useEffect(() => (busy ? version?.holdReload() : undefined), [busy, version]);
}
