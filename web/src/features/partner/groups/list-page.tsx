import { chakra } from '@chakra-ui/react';
import { type RouteReply, userRoutes } from '@portal/contracts';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useApi, useApiList } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { useListState } from '../../../lib/list/use-list-state.ts';
import { usePageWithin } from '../../../lib/list/use-page-within.ts';
import { useSelection } from '../../../lib/list/use-selection.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { BulkDeleteButton, DeleteButton, EditLink } from '../../../ui/list/row-actions.tsx';
import { SearchPanel } from '../../../ui/list/search-panel.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { CsvButton } from '../../shared/csv-button.tsx';
import { useDeletion } from '../../shared/use-deletion.ts';
import { DeleteGroups } from './delete-groups.tsx';
import { groupCreateFlow, groupDetailPath, groupEditFlow } from './group-flows.ts';
import { useRoleName } from './group-form.tsx';

type Reply = RouteReply<typeof userRoutes.listGroups>;
type GroupRow = Extract<Reply, { totalCount: number }>['groups'][number];
type OrderKey = (typeof userRoutes.groupOrderKeys)[number];

const listOptions = { orderKeys: userRoutes.groupOrderKeys, filters: { name: 'text' } } as const;

export function GroupListPage() {
  const { t } = useTranslation(['groups', 'ui', 'shell']);
  const format = useFormat();
  const api = useApi();
  const may = useMay();
  const roleName = useRoleName();
  const { partner } = usePartnerSession();
  const list = useListState<OrderKey, { name: string }>(listOptions);
  const selection = useSelection();

  const { page, perPage, orderKey, order, filters } = list;
  const query = useApiList(userRoutes.listGroups, {
    params: { pid: partner.id },
    query: { page, perPage, orderKey, order, ...filters },
  });
  const reply = query.data && 'totalCount' in query.data ? query.data : undefined;
  usePageWithin(list, reply?.totalPage);
  const deletion = useDeletion(reply?.groups, selection);

  const editTo = ({ id }: GroupRow) => editLink(groupEditFlow.paths.form, id, partner.name);
  const canEdit = may(userRoutes.updateGroup);
  const canDelete = may(userRoutes.deleteGroup);
  const createButton = may(userRoutes.createGroup) && (
    <ButtonLink to={groupCreateFlow.paths.form} icon={<Plus />}>
      {t('create')}
    </ButtonLink>
  );

  const columns: readonly Column<GroupRow, OrderKey>[] = [
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
      cell: ({ id, name }) => <NameLink to={editLink(groupDetailPath, id, partner.name)}>{name}</NameLink>,
      orderKey: 'name',
      width: '28%',
      isRowHeader: true,
    },
    { id: 'role', header: t('role'), cell: ({ role }) => roleName(role), orderKey: 'role', width: '8rem' },
    {
      id: 'note',
      header: t('note'),
      cell: ({ note }) => <chakra.span lineClamp="2">{note}</chakra.span>,
      wideOnly: true,
    },
    {
      id: 'users',
      header: t('userCount'),
      cell: ({ userCount }) => format.number(userCount),
      numeric: true,
      width: '7rem',
      wideOnly: true,
    },
    {
      id: 'updatedAt',
      header: t('updatedAt'),
      cell: ({ updatedAt }) => format.dateTime(updatedAt),
      orderKey: 'updatedAt',
      numeric: true,
      width: '11rem',
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
              load={() => api.send(userRoutes.exportGroups, { params: { pid: partner.id } })}
              fileName="groups.csv"
            />
            {createButton}
          </>
        }
      />
      <SearchPanel list={list} filters={{ name: { kind: 'text', label: t('name') } }} />
      <ListView
        caption={t('title')}
        list={list}
        query={query}
        page={reply}
        rows={reply?.groups}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        selection={canDelete ? selection : undefined}
        bulkActions={<BulkDeleteButton onClick={deletion.askSelected} />}
        rowActions={(group) => (
          <>
            {canEdit && <EditLink name={group.name} to={editTo(group)} />}
            {canDelete && <DeleteButton name={group.name} onClick={() => deletion.ask(group)} />}
          </>
        )}
        emptyTitle={t('emptyTitle')}
        emptyText={t('emptyText')}
        emptyAction={createButton}
      />
      <DeleteGroups groups={deletion.records} onClose={deletion.close} onDeleted={selection.clear} />
    </>
  );
}
