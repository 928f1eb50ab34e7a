import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../../ui/list/data-table.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';

export interface BadLine {
  readonly line: number;
  readonly field: string;
  readonly message: string;
}

/** What is wrong with which line. */
export function BadLines({ lines }: { lines: readonly BadLine[] }) {
  const { t } = useTranslation('userImport');
  const rows = lines.map((line, id) => ({ ...line, id }));
  return (
    <Panel overflow="hidden">
      <DataTable
        caption={t('badLines')}
        rows={rows}
        rowId={({ id }) => id}
        rowName={({ line }) => String(line)}
        columns={[
          { id: 'line', header: t('line'), cell: ({ line }) => line, numeric: true, width: '3.5rem' },
          {
            id: 'field',
            header: t('field'),
            cell: ({ field }) =>
              field === 'csv' ? t('wholeLine') : <chakra.code fontSize="xs">{field}</chakra.code>,
            width: '7.5rem',
          },
          { id: 'message', header: t('reason'), cell: ({ message }) => message, isRowHeader: true },
        ]}
      />
    </Panel>
  );
}
