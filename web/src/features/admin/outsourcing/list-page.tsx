import { Box } from '@chakra-ui/react';
import { type RouteReply, tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiList } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useListState } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { useAdminSession } from '../../../lib/session/use-session.ts';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { SearchPanel } from '../../../ui/list/search-panel.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { UnitMembers } from './unit-members.tsx';

type UnitRow = RouteReply<typeof tenantRoutes.listUnits>['units'][number];

const listOptions = { orderKeys: ['name'], defaultOrder: 'asc', filters: { name: 'text' } } as const;

/** The units with their licences; each opens to its partners and administrators. */
export function UnitListPage() {
  const { t } = useTranslation(['units', 'ui', 'shell']);
  const format = useFormat();
  const { outsourcingFlag } = useAdminSession();
  const list = useListState<'name', { name: string }>(listOptions);

  const { page, perPage, orderKey, order, filters } = list;
  const query = useApiList(tenantRoutes.listUnits, { query: { page, perPage, orderKey, order, ...filters } });
  const reply = query.data;
  usePageWithin(list, reply?.totalPage);

  const licences = ({ unitName, allocatedLicense, consumedLicense }: UnitRow) => (
    <Meter
      label={t('licensesOf', { name: unitName })}
      value={consumedLicense}
      max={allocatedLicense}
      text={t('usage', {
        consumed: format.number(consumedLicense),
        allocated: format.number(allocatedLicense),
      })}
    />
  );
  const columns: readonly Column<UnitRow, 'name'>[] = [
    {
      id: 'name',
      header: t('name'),
      cell: (unit) => (
        <>
          <LongWord>{unit.unitName}</LongWord>
          <Box hideFrom="md" mt="1" fontSize="xs" fontWeight="normal">
            {licences(unit)}
          </Box>
        </>
      ),
      orderKey: 'name',
      isRowHeader: true,
    },
    { id: 'licenses', header: t('licenses'), cell: licences, width: '15rem', wideOnly: true },
    {
      id: 'partners',
      header: t('partners'),
      cell: ({ partners }) => format.number(partners.length),
      numeric: true,
      width: '6rem',
      wideOnly: true,
    },
    {
      id: 'admins',
      header: t('admins'),
      cell: ({ admins }) => format.number(admins.length),
      numeric: true,
      width: '8rem',
      wideOnly: true,
    },
    {
      id: 'canForceDistributeApp',
      header: t('canForceDistributeApp'),
      cell: ({ canForceDistributeApp }) => (canForceDistributeApp ? t('allowed') : t('refused')),
      width: '12rem',
      wideOnly: 'xl',
    },
  ];

  return (
    <>
      <PageHeader
        title={t('title')}
        count={reply && t('ui:count', { count: format.number(reply.totalCount) })}
        crumbs={[{ label: t('shell:home'), to: '/admin/menu' }, { label: t('title') }]}
      />
      {!outsourcingFlag && <SearchPanel list={list} filters={{ name: { kind: 'text', label: t('name') } }} />}
      <ListView
        caption={t('title')}
        list={list}
        query={query}
        page={reply}
        rows={reply?.units}
        columns={columns}
        rowId={({ unitId }) => unitId}
        rowName={({ unitName }) => unitName}
        rowDetail={(unit) => <UnitMembers unit={unit} />}
        emptyTitle={t('emptyTitle')}
        emptyText={t('emptyText')}
      />
    </>
  );
}
