import type { ApiClient } from '@portal/api-client';
import { batchRoutes, type RouteRequest } from '@portal/contracts';
import type { CsvExportCalls } from '../../../../lib/csv-export.ts';
import { viewerZone } from '../../../../lib/format.ts';

type DevicesExportFilter = Omit<RouteRequest<typeof batchRoutes.createDeliveryCsv>['query'], 'tz'>;

/** The calls of delivery.csv. */
export function devicesCsvCalls(
  api: ApiClient,
  file: { readonly pid: number; readonly id: number },
  filter: DevicesExportFilter,
): CsvExportCalls {
  return {
    create: () =>
      api.call(batchRoutes.createDeliveryCsv, { params: file, query: { tz: viewerZone(), ...filter } }),
    status: (batchId, signal) =>
      api.call(batchRoutes.getDeliveryCsv, { params: { ...file, batchId }, signal }),
    url: (batchId) => api.call(batchRoutes.getDeliveryCsvUrl, { params: { ...file, batchId } }),
    cancel: (batchId) => api.call(batchRoutes.cancelDeliveryCsv, { params: { ...file, batchId } }),
  };
}
