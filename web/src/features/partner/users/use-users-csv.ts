import { batchRoutes, type RouteRequest } from '@portal/contracts';
import { useTenant } from '../../../components/tenant.ts';
import { useApi } from '../../../lib/api.ts';
import type { CsvExportCalls } from '../../../lib/csv-export.ts';
import { viewerZone } from '../../../lib/format.ts';

type ExportFilter = Omit<RouteRequest<typeof batchRoutes.createUsersCsv>['query'], 'tz' | 'format'>;

interface UsersCsv {
  /** One export of users runs at a time, whatever its form and whichever screen asked for it. */
  readonly name: string;
  readonly calls: CsvExportCalls;
  /** Asks for the columns alone that an import takes. */
  readonly createForImport: CsvExportCalls['create'];
  /** Asks for the users alone whom the filters let pass, `ids` among them. */
  readonly createOf: (filter: ExportFilter) => CsvExportCalls['create'];
}

/** users.csv of the company. */
export function useUsersCsv(): UsersCsv {
  const api = useApi();
  const { id: pid } = useTenant();
  const params = { pid };
  const createOf = (filter: ExportFilter, format?: 'import') => () =>
    api.call(batchRoutes.createUsersCsv, { params, query: { tz: viewerZone(), format, ...filter } });
  return {
    name: `users:${pid}`,
    calls: {
      create: createOf({}),
      status: (batchId, signal) =>
        api.call(batchRoutes.getUsersCsv, { params: { ...params, batchId }, signal }),
      url: (batchId) => api.call(batchRoutes.getUsersCsvUrl, { params: { ...params, batchId } }),
      cancel: (batchId) => api.call(batchRoutes.cancelUsersCsv, { params: { ...params, batchId } }),
    },
    createOf,
    createForImport: createOf({}, 'import'),
  };
}
