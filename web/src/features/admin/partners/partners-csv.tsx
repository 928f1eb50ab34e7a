import { batchRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { CsvExportButton } from '../../../components/csv-export-button.tsx';
import { useApi } from '../../../lib/api.ts';
import { useFormat, viewerZone } from '../../../lib/format.ts';

interface PartnersCsvProps {
  /** What the list is filtered by, if it is, and how many rows it shows. */
  filter: Readonly<Record<string, string>> | undefined;
  count: number | undefined;
}

/** partners.csv: of what the filter shows, and of all. */
export function PartnersCsv({ count, filter }: PartnersCsvProps) {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  const api = useApi();
  const createOf = (asked: object) => () =>
    api.call(batchRoutes.createPartnersCsv, { query: { tz: viewerZone(), ...asked } });
  const all = createOf({});
  const isOfThese = filter !== undefined && count !== undefined;
  return (
    <CsvExportButton
      name="partners"
      label={isOfThese ? t('csvThese', { count: number(count) }) : undefined}
      others={isOfThese ? [{ label: t('csvEverything'), create: all }] : []}
      calls={{
        create: filter === undefined ? all : createOf(filter),
        status: (batchId, signal) => api.call(batchRoutes.getPartnersCsv, { params: { batchId }, signal }),
        url: (batchId) => api.call(batchRoutes.getPartnersCsvUrl, { params: { batchId } }),
        cancel: (batchId) => api.call(batchRoutes.cancelPartnersCsv, { params: { batchId } }),
      }}
    />
  );
}
