import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { type Column, DataTable } from '../../ui/list/data-table.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { DeliveryBar } from './delivery-bar.tsx';
import { type Numbers, partsOf } from './delivery-parts.ts';

/** What stands of a row beside its name: how many devices, and what has become of it there. */
export function useNumberColumns<R extends Numbers>(): readonly Column<R>[] {
  const { t } = useTranslation('delivery');
  const { number } = useFormat();
  return [
    {
      id: 'devices',
      header: t('devicesCount'),
      cell: ({ targeted }) => number(targeted.devices),
      numeric: true,
      width: '5rem',
    },
    {
      id: 'numbers',
      header: t('numbers'),
      cell: (row) => <DeliveryBar delivery={partsOf(row)} />,
    },
  ];
}

interface DeliveryTableProps<R> {
  title: string;
  lead: string;
  rows: readonly R[];
  rowId: (row: R) => number;
  rowName: (row: R) => string;
  columns: readonly Column<R>[];
}

/** The numbers of parts of a delivery, one below the other. */
export function DeliveryTable<R>({ columns, lead, rowId, rowName, rows, title }: DeliveryTableProps<R>) {
  return (
    <Panel>
      <chakra.div px={{ base: '4', md: '5' }} pt="4" pb="2">
        <chakra.h3 fontWeight="medium">{title}</chakra.h3>
        <chakra.p fontSize="xs" color="fg.muted">
          {lead}
        </chakra.p>
      </chakra.div>
      <DataTable caption={title} columns={columns} rows={rows} rowId={rowId} rowName={rowName} />
    </Panel>
  );
}
