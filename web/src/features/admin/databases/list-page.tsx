import { chakra } from '@chakra-ui/react';
import { databaseRoutes } from '@portal/contracts';
import { Plus, TableProperties } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Asked, useAsking } from '../../../components/asking.tsx';
import { databaseStatusNames } from '../../../components/database-status.ts';
import { partnerDetailLink, tenantCollectionsLink } from '../../../components/partner-links.ts';
import { useApiList } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useShownColumns } from '../../../lib/list/list-choices.ts';
import { useListState } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { FilterChips } from '../../../ui/list/filter-chips.tsx';
import { ListChoices } from '../../../ui/list/list-choices.tsx';
import { ListFilters } from '../../../ui/list/list-filters.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { DeleteButton, EditLink, RowLink } from '../../../ui/list/row-actions.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { databaseCreateFlow, databaseEditLink } from './database-flows.ts';
import { ContractStatus, DatabaseUse } from './database-parts.tsx';
import { DeleteDatabase } from './delete-database.tsx';
import { type Database, useDatabaseCrumbs } from './use-databases.ts';

const statuses = ['1', '2', '0'] as const;
const filters = { q: 'text', contractStatus: statuses } as const;
const listOptions = { orderKeys: databaseRoutes.databaseOrderKeys, filters } as const;
type OrderKey = (typeof databaseRoutes.databaseOrderKeys)[number];

export function DatabaseListPage() {
  const { t } = useTranslation(['databases', 'documents', 'ui']);
  const { date, number } = useFormat();
  const list = useListState<OrderKey, { q: string; contractStatus: string }>(listOptions);
  const deletion = useAsking<Database>();
  const { asked, order, orderKey, page, perPage } = list;
  const query = useApiList(databaseRoutes.listDatabases, {
    query: {
      page,
      perPage,
      orderKey,
      order,
      partnerName: asked.q,
      contractStatus: statuses.find((status) => status === asked.contractStatus),
    },
  });
  const { data } = query;
  usePageWithin(list, query, data?.totalPage);
  const createButton = (
    <ButtonLink to={databaseCreateFlow.paths.form} icon={<Plus />}>
      {t('create')}
    </ButtonLink>
  );
  const columns: readonly Column<Database, OrderKey>[] = [
    {
      id: 'partnerName',
      header: t('partner'),
      cell: ({ db, partnerId: id, partnerName: name }) => (
        <>
          <NameLink to={partnerDetailLink({ id, name })}>{name}</NameLink>
          <chakra.code display="block" fontFamily="mono" fontSize="xs" fontWeight="normal" color="fg.muted">
            {db}
          </chakra.code>
        </>
      ),
      orderKey: 'partnerName',
      isRowHeader: true,
    },
    {
      id: 'contractStatus',
      header: t('documents:contract'),
      cell: (database) => <ContractStatus {...database} />,
    },
    {
      id: 'usageBytes',
      header: t('documents:usage'),
      cell: (database) => <DatabaseUse {...database} />,
      orderKey: 'usageBytes',
    },
    {
      id: 'documentCount',
      header: t('documents:documents'),
      cell: ({ documentCount }) => number(documentCount),
      numeric: true,
      wideOnly: 'xl',
    },
    {
      id: 'startDate',
      header: t('documents:startDate'),
      cell: ({ startDate }) => date(startDate),
      wideOnly: 'xl',
    },
    {
      id: 'expireDate',
      header: t('documents:expireDate'),
      cell: ({ expireDate }) => date(expireDate),
      orderKey: 'expireDate',
    },
  ];
  return (
    <>
      <PageHeader
        title={t('title')}
        count={data && t('ui:count', { count: number(data.totalCount) })}
        crumbs={useDatabaseCrumbs()}
        action={createButton}
      />
      <ListFilters
        list={list}
        searchFor={t('searchFor')}
        filters={{}}
        choices={<ListChoices name="databases" columns={columns} />}
      >
        <FilterChips
          label={t('documents:contract')}
          options={([1, 2, 0] as const).map((status) => ({
            value: String(status),
            label: t(`documents:statuses.${databaseStatusNames[status]}`),
          }))}
          value={list.filters.contractStatus}
          onChange={(contractStatus) => list.setFilters({ ...list.filters, contractStatus })}
        />
      </ListFilters>
      <ListView
        caption={t('title')}
        list={list}
        query={query}
        page={data}
        rows={data?.databases}
        columns={useShownColumns('databases', columns)}
        rowId={({ partnerId }) => partnerId}
        rowName={({ partnerName }) => partnerName}
        rowHeight="3.5rem"
        rowActions={(database) => {
          const { partnerId: id, partnerName: name } = database;
          return (
            <>
              <RowLink
                action={t('toDocuments')}
                name={name}
                icon={<TableProperties />}
                to={tenantCollectionsLink({ id, name })}
              />
              <EditLink name={name} to={databaseEditLink(id, name)} />
              <DeleteButton name={name} onClick={() => deletion.ask(database)} />
            </>
          );
        }}
        emptyTitle={t('emptyTitle')}
        emptyText={t('emptyText')}
        emptyAction={createButton}
      />
      <Asked asking={deletion}>
        {(database) => <DeleteDatabase database={database} onClose={deletion.close} />}
      </Asked>
    </>
  );
}
