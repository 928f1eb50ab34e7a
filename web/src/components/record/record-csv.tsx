import type { batchRoutes, RouteReply } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../lib/api.ts';
import { useFormat } from '../../lib/format.ts';
import { CsvButton } from '../csv-button.tsx';
import { CsvExportButton } from '../csv-export-button.tsx';
import type { AnyRecord } from './record.ts';
import { useMayCall } from './use-record.ts';

type Status = RouteReply<typeof batchRoutes.getUsersCsv>;

interface RecordCsvProps {
  record: AnyRecord;
  /** What the list is filtered by, if it is, and how many rows it shows. */
  filter?: Readonly<Record<string, string>> | undefined;
  count: number | undefined;
}

/** The download of a record's CSV, where it has one that the caller may have: of what the filter shows, or of all. */
export function RecordCsv({ record: { calls, list, paths, useScope }, filter, count }: RecordCsvProps) {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  const api = useApi();
  const may = useMayCall();
  const scope = useScope();
  const { csv } = calls;
  const query = () => list.csv?.query?.() ?? {};
  if (!csv || !list.csv || !may('create' in csv ? csv.create : csv)) return null;
  if (!('create' in csv)) {
    const load = (filtered: object) => () =>
      api.send(csv, { params: scope, query: { ...query(), ...filtered } });
    const isOfThese = filter !== undefined && count !== undefined;
    return (
      <CsvButton
        load={load(filter ?? {})}
        fileName={list.csv.fileName}
        label={isOfThese ? t('csvThese', { count: number(count) }) : undefined}
        other={isOfThese ? { label: t('csvEverything'), load: load({}) } : undefined}
      />
    );
  }
  const of = (batchId: number) => ({ ...scope, batchId });
  return (
    <CsvExportButton
      name={`${paths.list}:${Object.values(scope).join()}`}
      // Every export answers the same, as its declaration in the contracts says.
      calls={{
        create: () =>
          api.call(csv.create, {
            params: scope,
            query: { ...query(), ...(list.csv?.takesFilter && filter) },
          }) as Promise<{ id: number }>,
        status: (batchId, signal) => api.call(csv.status, { params: of(batchId), signal }) as Promise<Status>,
        url: (batchId) => api.call(csv.url, { params: of(batchId) }) as Promise<{ signedUrl: string }>,
        cancel: (batchId) => api.call(csv.cancel, { params: of(batchId) }),
      }}
    />
  );
}
