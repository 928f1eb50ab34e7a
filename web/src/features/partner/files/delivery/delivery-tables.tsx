import { Badge, chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { DeliveryBar } from '../../../../components/files/delivery-bar.tsx';
import { partsOf } from '../../../../components/files/delivery-parts.ts';
import type { FileDetail } from '../../../../components/files/file.ts';
import { useFormat } from '../../../../lib/format.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { type Column, DataTable } from '../../../../ui/list/data-table.tsx';
import { NameLink } from '../../../../ui/list/name-link.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import type { Delivery } from './delivery.ts';
import { devicesLink } from './device-links.ts';

type Group = Delivery['groups'][number];
type Version = Delivery['versions'][number];

/** What stands of a row beside its name: how many devices, and what has become of it there. */
function useNumberColumns<R extends Group | Version>(): readonly Column<R>[] {
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

interface TableProps<R> {
  title: string;
  lead: string;
  rows: readonly R[];
  rowId: (row: R) => number;
  rowName: (row: R) => string;
  columns: readonly Column<R>[];
}

function Table<R>({ columns, lead, rowId, rowName, rows, title }: TableProps<R>) {
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

interface ByGroupProps {
  file: Pick<FileDetail, 'id'>;
  groups: readonly Group[];
}

export function ByGroup({ file, groups }: ByGroupProps) {
  const { t } = useTranslation('delivery');
  const { partner } = usePartnerSession();
  const numbers = useNumberColumns<Group>();
  const nameOf = ({ id, name }: Group) => (id === 0 ? t('groups.everyone') : name);
  const name: Column<Group> = {
    id: 'name',
    header: t('groups.name'),
    cell: (group) => (
      <NameLink to={devicesLink(file, partner.name, group.id === 0 ? {} : { group: group.id })}>
        {nameOf(group)}
      </NameLink>
    ),
    isRowHeader: true,
  };
  return (
    <Table
      title={t('groups.title')}
      lead={t('groups.lead')}
      rows={groups}
      rowId={({ id }) => id}
      rowName={nameOf}
      columns={[name, ...numbers]}
    />
  );
}

interface ByVersionProps {
  file: Pick<FileDetail, 'id'>;
  versions: readonly Version[];
  current: number;
}

export function ByVersion({ current, file, versions }: ByVersionProps) {
  const { t } = useTranslation('delivery');
  const { partner } = usePartnerSession();
  const numbers = useNumberColumns<Version>();
  const name: Column<Version> = {
    id: 'name',
    header: t('versions.name'),
    cell: ({ version }) => (
      <>
        <NameLink to={devicesLink(file, partner.name, { version })}>
          {t('chart.version', { version })}
        </NameLink>{' '}
        {version === current && <Badge colorPalette="success">{t('versions.current')}</Badge>}
      </>
    ),
    isRowHeader: true,
  };
  return (
    <Table
      title={t('versions.title')}
      lead={t('versions.lead')}
      rows={versions}
      rowId={({ version }) => version}
      rowName={({ version }) => t('chart.version', { version })}
      columns={[name, ...numbers]}
    />
  );
}
