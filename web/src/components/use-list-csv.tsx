import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { CsvExport, CsvExportCalls } from '../lib/csv-export.ts';
import { useFormat } from '../lib/format.ts';
import type { Selection } from '../lib/list/use-selection.ts';
import type { BulkAction } from '../ui/list/bulk-bar.tsx';
import { chosenOf } from './chosen.ts';
import { type OtherCsv, useToldExport } from './csv-export-button.tsx';

interface ListCsvOptions<F extends object> {
  /** Tells the exports of a tab apart. */
  name: string;
  calls: CsvExportCalls;
  /** Asks for the rows that pass, `ids` of them alone. */
  createOf: (filter: F | { ids: string }) => CsvExportCalls['create'];
  /** What the list is filtered by, if it is. */
  filter: F;
  isFiltered: boolean;
  /** How many rows the list shows, and how many there are without its filter; undefined until they are known. */
  counts: { readonly shown: number | undefined; readonly all: number | undefined };
  rows: readonly { readonly id: number }[] | undefined;
  selection: Selection;
}

interface ListCsv {
  readonly csv: CsvExport;
  readonly label: string | undefined;
  readonly others: readonly OtherCsv[];
  /** Of the selected rows. */
  readonly action: BulkAction;
}

/** The exports of a list: of what its filter shows, of all, and of the selected rows; each says which. */
export function useListCsv<F extends object>({
  name,
  calls,
  createOf,
  filter,
  isFiltered,
  counts: { all, shown },
  rows,
  selection,
}: ListCsvOptions<F>): ListCsv {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  const csv = useToldExport(name, isFiltered ? { ...calls, create: createOf(filter) } : calls);
  return {
    csv,
    label: isFiltered && shown !== undefined ? t('csvThese', { count: number(shown) }) : undefined,
    others: isFiltered
      ? [
          {
            label: all === undefined ? t('csvEverything') : t('csvAll', { count: number(all) }),
            create: calls.create,
          },
        ]
      : [],
    action: {
      label: t('csvSelected'),
      icon: <Download />,
      pending: csv.step !== 'idle',
      onPress() {
        const { matching, rows: chosen } = chosenOf(rows, selection);
        const ids = chosen.map(({ id }) => id).join(',');
        if (matching !== undefined) csv.start(createOf(filter));
        else if (ids !== '') csv.start(createOf({ ids }));
      },
    },
  };
}
