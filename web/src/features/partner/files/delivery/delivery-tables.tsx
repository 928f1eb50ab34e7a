import { Badge } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { DeliveryTable, useNumberColumns } from '../../../../components/files/delivery-table.tsx';
import type { FileDetail } from '../../../../components/files/file.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import type { Column } from '../../../../ui/list/data-table.tsx';
import { NameLink } from '../../../../ui/list/name-link.tsx';
import type { Delivery } from './delivery.ts';
import { countedBy, devicesLink } from './device-links.ts';

type Group = Delivery['groups'][number];
type Version = Delivery['versions'][number];

interface ByGroupProps {
  file: Pick<FileDetail, 'id'>;
  groups: readonly Group[];
  /** The one that they are of. */
  version: number;
}

export function ByGroup({ file, groups, version }: ByGroupProps) {
  const { t } = useTranslation('delivery');
  const { partner } = usePartnerSession();
  const numbers = useNumberColumns<Group>();
  const nameOf = ({ id, name }: Group) => (id === 0 ? t('groups.everyone') : name);
  const name: Column<Group> = {
    id: 'name',
    header: t('groups.name'),
    cell: (group) => (
      <NameLink to={devicesLink(file, partner.name, { ...countedBy(version), group: group.id })}>
        {nameOf(group)}
      </NameLink>
    ),
    isRowHeader: true,
  };
  return (
    <DeliveryTable
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
        <NameLink to={devicesLink(file, partner.name, countedBy(version))}>
          {t('chart.version', { version })}
        </NameLink>{' '}
        {version === current && <Badge colorPalette="success">{t('versions.current')}</Badge>}
      </>
    ),
    isRowHeader: true,
  };
  return (
    <DeliveryTable
      title={t('versions.title')}
      lead={t('versions.lead')}
      rows={versions}
      rowId={({ version }) => version}
      rowName={({ version }) => t('chart.version', { version })}
      columns={[name, ...numbers]}
    />
  );
}
