import type { batchRoutes, RouteReply } from '@portal/contracts';
import { useApi } from '../../lib/api.ts';
import { CsvButton } from '../csv-button.tsx';
import { CsvExportButton } from '../csv-export-button.tsx';
import type { AnyRecord } from './record.ts';
import { useMayCall } from './use-record.ts';

type Status = RouteReply<typeof batchRoutes.getUsersCsv>;

/** The download of a record's CSV, where it has one that the caller may have. */
export function RecordCsv({ record: { calls, list, paths, useScope } }: { record: AnyRecord }) {
  const api = useApi();
  const may = useMayCall();
  const scope = useScope();
  const { csv } = calls;
  const query = () => list.csv?.query?.() ?? {};
  if (!csv || !list.csv) return null;
  if (!('create' in csv)) {
    return (
      <CsvButton load={() => api.send(csv, { params: scope, query: query() })} fileName={list.csv.fileName} />
    );
  }
  if (!may(csv.create)) return null;
  const of = (batchId: number) => ({ ...scope, batchId });
  return (
    <CsvExportButton
      name={`${paths.list}:${Object.values(scope).join()}`}
      // Every export answers the same, as its declaration in the contracts says.
      calls={{
        create: () => api.call(csv.create, { params: scope, query: query() }) as Promise<{ id: number }>,
        status: (batchId, signal) => api.call(csv.status, { params: of(batchId), signal }) as Promise<Status>,
        url: (batchId) => api.call(csv.url, { params: of(batchId) }) as Promise<{ signedUrl: string }>,
        cancel: (batchId) => api.call(csv.cancel, { params: of(batchId) }),
      }}
    />
  );
}
