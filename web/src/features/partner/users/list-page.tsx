import { Box } from '@chakra-ui/react';
import { userRoutes } from '@portal/contracts';
import { FileUp, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CsvExportControl } from '../../../components/csv-export-button.tsx';
import { useTenant, useTenantCrumbs, useTenantLinks } from '../../../components/tenant.ts';
import { useListCsv } from '../../../components/use-list-csv.tsx';
import { useUserColumns } from '../../../components/users/use-user-columns.tsx';
import { useUserFilters } from '../../../components/users/use-user-filters.ts';
import { type UserOrderKey, useUserList } from '../../../components/users/use-user-list.ts';
import type { UserDetail } from '../../../components/users/user.ts';
import { InactiveMark, LoginBelow, UserGroups, useRoleNames } from '../../../components/users/user-parts.tsx';
import { useApiQuery } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { useShownColumns } from '../../../lib/list/list-choices.ts';
import { useSelection } from '../../../lib/list/use-selection.ts';
import { useMay, useSession } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ListChoices } from '../../../ui/list/list-choices.tsx';
import { ListFilters } from '../../../ui/list/list-filters.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { DeleteButton, EditLink } from '../../../ui/list/row-actions.tsx';
import { SecondLine } from '../../../ui/list/second-line.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { importPaths } from './import/import-paths.ts';
import { useBulkUsers } from './use-bulk-users.tsx';
import { useUsersCsv } from './use-users-csv.ts';
import { userCreateFlow, userEditFlow } from './user-flows.ts';

export function UserListPage() {
  const { t } = useTranslation(['users', 'userImport', 'ui']);
  const format = useFormat();
  const may = useMay();
  const namesOfRole = useRoleNames();
  const partner = useTenant();
  const { toDetail } = useTenantLinks();
  const session = useSession();
  const common = useUserColumns();
  const { createForImport } = useUsersCsv();
  const { filter, list, query, reply } = useUserList();
  const selection = useSelection();
  const mayExport = may('createUsersCsv');
  const all = useApiQuery(
    userRoutes.listUsers,
    { params: { pid: partner.id }, query: { perPage: 1 } },
    { enabled: list.isFiltered && mayExport },
  );
  const csv = useListCsv({
    ...useUsersCsv(),
    filter,
    isFiltered: list.isFiltered,
    counts: { shown: reply?.totalCount, all: all.data?.totalCount },
    rows: reply?.users,
    selection,
  });
  const bulk = useBulkUsers(reply?.users, selection, filter, csv.action);

  const canImport = may('createUserImport');
  const canEdit = may('updateUser');
  const canDelete = may('deleteUsers');
  const isSelf = ({ id }: UserDetail) => session?.kind === 'partner' && id === session.user.id;
  const createButton = may('createUser') && (
    <ButtonLink to={userCreateFlow.paths.form} icon={<Plus />}>
      {t('create')}
    </ButtonLink>
  );

  const columns: readonly Column<UserDetail, UserOrderKey>[] = [
    common.id,
    {
      id: 'name',
      header: t('name'),
      cell: (user) => (
        <>
          <NameLink to={toDetail('users', user.id)}>{user.name}</NameLink> <InactiveMark user={user} />
          {isSelf(user) && <SecondLine>{t('ui:self')}</SecondLine>}
          <Box hideFrom="xl">
            <LoginBelow user={user} />
          </Box>
          {user.role !== 0 && <SecondLine>{namesOfRole(user.role).join(', ')}</SecondLine>}
          {!user.passwordSet && (
            <SecondLine>
              {user.setupMailSentAt === null
                ? t('passwordStates.none')
                : t('setupMails.sentAt', { time: format.dateTime(user.setupMailSentAt) })}
            </SecondLine>
          )}
        </>
      ),
      orderKey: 'name',
      isRowHeader: true,
    },
    common.email,
    common.loginUserId,
    {
      id: 'groups',
      header: t('groups'),
      cell: ({ groups }) => <UserGroups groups={groups} />,
      width: '12rem',
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'devices',
      header: t('devices.count'),
      cell: ({ platforms }) => format.number(platforms.length),
      numeric: true,
      width: '4rem',
      wideOnly: '2xl',
    },
    common.lastLoginAt,
    {
      id: 'createdAt',
      header: t('createdAt'),
      cell: ({ createdAt }) => format.date(createdAt),
      orderKey: 'createdAt',
      numeric: true,
      wideOnly: '2xl',
    },
  ];

  return (
    <>
      <PageHeader
        title={t('title')}
        count={reply && t('ui:count', { count: format.number(reply.totalCount) })}
        lead={partner.isOwn ? undefined : partner.name}
        crumbs={[...useTenantCrumbs(), { label: t('title') }]}
        action={
          <>
            {canImport && (
              <ButtonLink to={importPaths.form} variant="outline" colorPalette="gray" icon={<FileUp />}>
                {t('userImport:open')}
              </ButtonLink>
            )}
            {mayExport && (
              <CsvExportControl
                csv={csv.csv}
                label={csv.label}
                others={[
                  ...csv.others,
                  ...(canImport
                    ? [
                        {
                          label: t('userImport:export'),
                          help: t('userImport:exportHelp'),
                          create: createForImport,
                        },
                      ]
                    : []),
                ]}
              />
            )}
            {createButton}
          </>
        }
      />
      <ListFilters
        list={list}
        searchFor={t('searchFor')}
        choices={
          <ListChoices name="users" columns={columns} whose={partner.isOwn ? undefined : ['id', 'pn']} />
        }
        filters={useUserFilters()}
        presets={[
          { label: t('presets.passwordNone'), filters: { passwordState: 'none' } },
          { label: t('presets.groupUnset'), filters: { groupUnset: 'true' } },
          { label: t('presets.createdAt'), filters: { createdAtStart: '7d' } },
          { label: t('presets.loginAt'), filters: { loginAtStart: '7d' } },
        ]}
      />
      <ListView
        caption={t('title')}
        list={list}
        query={query}
        page={reply}
        rows={reply?.users}
        columns={useShownColumns('users', columns)}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        selection={canDelete ? selection : undefined}
        isSelectable={(user) => !isSelf(user)}
        bulkActions={bulk.actions}
        canSelectMatching
        rowHeight="4.375rem"
        rowActions={
          canEdit
            ? (user) => (
                <>
                  <EditLink name={user.name} to={editLink(userEditFlow.paths.form, user.id, partner.name)} />
                  {!isSelf(user) && <DeleteButton name={user.name} onClick={() => bulk.askToDelete(user)} />}
                </>
              )
            : undefined
        }
        emptyTitle={t('emptyTitle')}
        emptyText={may('createUser') ? t('emptyText') : undefined}
        emptyAction={createButton}
      />
      {bulk.dialogs}
    </>
  );
}
