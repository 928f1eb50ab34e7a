import type { batchRoutes } from '@portal/contracts';

export type ExportStatus = (typeof batchRoutes.csvStatuses)[number];

/** How far an export is, from 0 to 1; all rows are no file yet. */
export function progressOf(state: { status: ExportStatus; rowCount: number; totalRows: number }): number {
  if (state.status === 'complete') return 1;
  if (state.totalRows === 0) return 0;
  return Math.min(0.99, Math.floor((state.rowCount / state.totalRows) * 100) / 100);
}
