import type { ApiClient } from '@portal/api-client';
import { batchRoutes, type RouteRequest } from '@portal/contracts';
import type { CsvExportCalls } from '../../../lib/csv-export.ts';
import { viewerZone } from '../../../lib/format.ts';

export type FilesExportFilter = Omit<RouteRequest<typeof batchRoutes.createFilesCsv>['query'], 'tz'>;

/** The calls of files.csv, apart from the list of files, which is a part of the first load. */
export function filesCsvCalls(api: ApiClient, pid: number, filter: FilesExportFilter): CsvExportCalls {
  return {
    create: () =>
      api.call(batchRoutes.createFilesCsv, { params: { pid }, query: { tz: viewerZone(), ...filter } }),
    status: (batchId, signal) => api.call(batchRoutes.getFilesCsv, { params: { pid, batchId }, signal }),
    url: (batchId) => api.call(batchRoutes.getFilesCsvUrl, { params: { pid, batchId } }),
    cancel: (batchId) => api.call(batchRoutes.cancelFilesCsv, { params: { pid, batchId } }),
  };
}
