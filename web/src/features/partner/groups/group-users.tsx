import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenantLinks } from '../../../components/tenant.ts';
import { useUserColumns } from '../../../components/users/use-user-columns.tsx';
import type { UserOrderKey, useUserList } from '../../../components/users/use-user-list.ts';
import type { UserDetail } from '../../../components/users/user.ts';
import { InactiveMark, LoginBelow } from '../../../components/users/user-parts.tsx';
import type { Selection } from '../../../lib/list/use-selection.ts';
import type { BulkAction } from '../../../ui/list/bulk-bar.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';

interface GroupUsersProps {
  caption: string;
  users: ReturnType<typeof useUserList>;
  selection: Selection | undefined;
  bulkActions: readonly BulkAction[];
  rowActions?: ((user: UserDetail) => ReactNode) | undefined;
  /** The last column, where there is more to say of a user. */
  mark?: { header: string; cell: (user: UserDetail) => ReactNode };
  /** How many there are, where that is known. */
  expectedRows?: number;
  emptyText: string | undefined;
  emptyTitle: string;
  emptyAction?: ReactNode;
}

/** Users as a group's pages show them: who they are, and how one knows them. */
export function GroupUsers({ users: { list, query, reply }, mark, ...view }: GroupUsersProps) {
  const { t } = useTranslation('users');
  const common = useUserColumns();
  const { toDetail } = useTenantLinks();
  const columns: readonly Column<UserDetail, UserOrderKey>[] = [
    common.id,
    {
      id: 'name',
      header: t('name'),
      cell: (user) => (
        <>
          <NameLink to={toDetail('users', user.id)}>{user.name}</NameLink> <InactiveMark user={user} />
          <Box hideFrom="xl">
            <LoginBelow user={user} />
          </Box>
        </>
      ),
      orderKey: 'name',
      isRowHeader: true,
    },
    common.email,
    common.loginUserId,
    common.lastLoginAt,
    ...(mark ? [{ id: 'mark', ...mark }] : []),
  ];
  return (
    <ListView
      {...view}
      list={list}
      query={query}
      page={reply}
      rows={reply?.users}
      columns={columns}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
    />
  );
}
