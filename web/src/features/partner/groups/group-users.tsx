import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { editLink } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import type { Selection } from '../../../lib/list/use-selection.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import type { Column } from '../../../ui/list/data-table.tsx';
import { ListView } from '../../../ui/list/list-view.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import type { UserOrderKey, useUserList } from '../users/use-user-list.ts';
import { type UserDetail, userDetailPath } from '../users/user-flows.ts';
import { LoginBelow, LoginOrNone } from '../users/user-parts.tsx';

interface GroupUsersProps {
  caption: string;
  users: ReturnType<typeof useUserList>;
  selection: Selection | undefined;
  bulkActions: ReactNode;
  rowActions?: ((user: UserDetail) => ReactNode) | undefined;
  /** The last column, where there is more to say of a user. */
  mark?: { header: string; cell: (user: UserDetail) => ReactNode };
  emptyText: string;
  emptyTitle: string;
  emptyAction?: ReactNode;
}

/** Users as a group's pages show them: who they are, and how one knows them. */
export function GroupUsers({ users: { list, query, reply }, mark, ...view }: GroupUsersProps) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const { partner } = usePartnerSession();
  const columns: readonly Column<UserDetail, UserOrderKey>[] = [
    {
      id: 'id',
      header: t('id'),
      cell: ({ id }) => id,
      orderKey: 'id',
      numeric: true,
      width: '3.5rem',
      wideOnly: 'xl',
    },
    {
      id: 'name',
      header: t('name'),
      cell: (user) => (
        <>
          <NameLink to={editLink(userDetailPath, user.id, partner.name)}>{user.name}</NameLink>
          <Box hideFrom="xl">
            <LoginBelow user={user} />
          </Box>
        </>
      ),
      orderKey: 'name',
      isRowHeader: true,
    },
    {
      id: 'email',
      header: t('email'),
      cell: ({ email }) => <LoginOrNone value={email} />,
      orderKey: 'email',
      wideOnly: 'xl',
    },
    {
      id: 'loginUserId',
      header: t('loginUserId'),
      cell: ({ loginUserId }) => <LoginOrNone value={loginUserId} />,
      orderKey: 'loginUserId',
      wideOnly: 'xl',
    },
    {
      id: 'lastLoginAt',
      header: t('lastLoginAt'),
      cell: ({ lastLoginAt }) => format.dateTime(lastLoginAt),
      orderKey: 'lastLoginAt',
      numeric: true,
      wideOnly: true,
    },
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
