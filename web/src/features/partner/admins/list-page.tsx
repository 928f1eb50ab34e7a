import { Box, chakra } from '@chakra-ui/react';
import { companyAdminRoutes, userRoutes } from '@portal/contracts';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useApi, useApiList } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat, viewerZone } from '../../../lib/format.ts';
import { useListState } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { useSelection } from '../../../lib/list/use-selection.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { BulkDeleteButton, DeleteButton, EditLink } from '../../../ui/list/row-actions.tsx';
import { SearchPanel } from '../../../ui/list/search-panel.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { CsvButton } from '../../shared/csv-button.tsx';
import { DeleteRecords } from '../../shared/delete-records.tsx';
import { useDeletion } from '../../shared/use-deletion.ts';
import { LoginBelow, loginOf } from '../users/user-parts.tsx';
import { adminCreateFlow, adminEditFlow, type CompanyAdmin } from './admin-flows.ts';

type OrderKey = (typeof companyAdminRoutes.companyAdminOrderKeys)[number];
type Filters = { name: string; email: string };

const listOptions = {
  orderKeys: companyAdminRoutes.companyAdminOrderKeys,
  filters: { name: 'text', email: 'text' },
} as const;

export function CompanyAdminListPage() {
  const { t } = useTranslation(['companyAdmins', 'ui', 'shell']);
  const format = useFormat();
  const api = useApi();
  const { partner, user } = usePartnerSession();
  const list = useListState<OrderKey, Filters>(listOptions);
  const selection = useSelection();

  const { page, perPage, orderKey, order, filters } = list;
  const query = useApiList(companyAdminRoutes.listCompanyAdmins, {
    params: { pid: partner.id },
    query: { page, perPage, orderKey, order, ...filters },
  });
  const reply = query.data;
  usePageWithin(list, reply?.totalPage);
  const deletion = useDeletion(reply?.admins, selection);

  const isSelf = ({ id }: CompanyAdmin) => id === user.id;
  const editTo = ({ id }: CompanyAdmin) => editLink(adminEditFlow.paths.form, id, partner.name);
  const createButton = (
    <ButtonLink to={adminCreateFlow.paths.form} icon={<Plus />}>
      {t('create')}
    </ButtonLink>
  );

  const columns: readonly Column<CompanyAdmin, OrderKey>[] = [
    {
      id: 'id',
      header: t('id'),
      cell: ({ id }) => id,
      orderKey: 'id',
      numeric: true,
      width: '5rem',
      wideOnly: 'xl',
    },
    {
      id: 'name',
      header: t('name'),
      cell: (admin) => (
        <>
          <NameLink to={editTo(admin)}>{admin.name}</NameLink>
          {isSelf(admin) && (
            <chakra.span display="inline-block" me="2" fontSize="xs" color="fg.muted" whiteSpace="nowrap">
              {t('ui:self')}
            </chakra.span>
          )}
          <Box hideFrom="md">
            <LoginBelow user={admin} />
          </Box>
        </>
      ),
      orderKey: 'name',
      isRowHeader: true,
    },
    {
      id: 'email',
      header: t('loginId'),
      cell: (admin) => <LongWord>{loginOf(admin)}</LongWord>,
      orderKey: 'email',
      wideOnly: true,
    },
    {
      id: 'createUserFlag',
      header: t('userColumn'),
      cell: ({ createUserFlag }) => t(createUserFlag ? 'isUser' : 'isNoUser'),
      width: '9rem',
      wideOnly: 'xl',
    },
    {
      id: 'lastLoginAt',
      header: t('lastLoginAt'),
      cell: ({ lastLoginAt }) => format.dateTime(lastLoginAt),
      orderKey: 'lastLoginAt',
      numeric: true,
      width: '11rem',
      wideOnly: true,
    },
    {
      id: 'createdAt',
      header: t('createdAt'),
      cell: ({ createdAt }) => format.date(createdAt),
      orderKey: 'createdAt',
      numeric: true,
      width: '8rem',
      wideOnly: 'xl',
    },
  ];

  return (
    <>
      <PageHeader
        title={t('title')}
        count={reply && t('ui:count', { count: format.number(reply.totalCount) })}
        crumbs={[{ label: t('shell:home'), to: '/partner/menu' }, { label: t('title') }]}
        action={
          <>
            <CsvButton
              load={() =>
                api.send(companyAdminRoutes.exportCompanyAdmins, {
                  params: { pid: partner.id },
                  query: { tz: viewerZone() },
                })
              }
              fileName="admins.csv"
            />
            {createButton}
          </>
        }
      />
      <SearchPanel
        list={list}
        filters={{ name: { kind: 'text', label: t('name') }, email: { kind: 'text', label: t('email') } }}
      />
      <ListView
        caption={t('title')}
        list={list}
        query={query}
        page={reply}
        rows={reply?.admins}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        selection={selection}
        isSelectable={(admin) => !isSelf(admin)}
        bulkActions={<BulkDeleteButton onClick={deletion.askSelected} />}
        rowActions={(admin) => (
          <>
            <EditLink name={admin.name} to={editTo(admin)} />
            {!isSelf(admin) && <DeleteButton name={admin.name} onClick={() => deletion.ask(admin)} />}
          </>
        )}
        emptyTitle={t('emptyTitle')}
        emptyText={t('emptyText')}
        emptyAction={createButton}
      />
      <DeleteRecords
        records={deletion.records}
        remove={(ids) =>
          api.call(companyAdminRoutes.deleteCompanyAdmins, {
            params: { pid: partner.id },
            body: { ids: [...ids] },
          })
        }
        own={(adminId) => [[companyAdminRoutes.getCompanyAdmin.id, { adminId }]]}
        stale={[companyAdminRoutes.listCompanyAdmins.id, userRoutes.listUsers.id]}
        texts={{
          title: t('deleteTitle'),
          one: (name) => t('deleteOne', { name }),
          many: (count) => t('deleteMany', { count }),
          done: (count) => t('deleted', { count }),
        }}
        onClose={deletion.close}
        onDeleted={selection.clear}
      />
    </>
  );
}
