import { createContext, use } from 'react';
import type { DatabaseKey } from '../../../lib/database-key.ts';
import type { Crumb } from '../../../ui/page/page-header.tsx';

/** The database that the editor shows. */
export interface OpenDatabase {
  readonly db: string;
  readonly contractStatus: 0 | 1 | 2;
  readonly startDate: string;
  readonly expireDate: string;
  readonly usageBytes: number;
  readonly documentCount: number;
  readonly quotaBytes: number;
  /** Whether its contract lets anybody write, and the caller may. */
  readonly writable: boolean;
  /** The contract is over, or there is none any more. */
  readonly isOver: boolean;
  /** The caller sees its key, and may have another made. */
  readonly seesKey: boolean;
  /** With which the editor was opened. */
  readonly openedWith: DatabaseKey | undefined;
  /** From home to the page. */
  readonly crumbs: readonly Crumb[];
}

export const DatabaseContext = createContext<OpenDatabase | undefined>(undefined);

export function useDatabase(): OpenDatabase {
  const database = use(DatabaseContext);
  if (!database) throw new Error('DatabaseContext is missing');
  return database;
}
