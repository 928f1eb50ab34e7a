import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import type { Column } from '../../ui/list/data-table.tsx';
import { idColumn } from '../../ui/list/id-column.ts';
import type { UserOrderKey } from './use-user-list.ts';
import type { UserDetail } from './user.ts';
import { LoginOrNone } from './user-parts.tsx';

type UserColumn = Column<UserDetail, UserOrderKey>;

/** The columns that every list of users has. */
export function useUserColumns(): Readonly<
  Record<'id' | 'email' | 'loginUserId' | 'lastLoginAt', UserColumn>
> {
  const { t } = useTranslation('users');
  const format = useFormat();
  return {
    id: idColumn({ header: t('id'), width: '3.5rem', wideOnly: 'xl' }),
    email: {
      id: 'email',
      header: t('email'),
      cell: ({ email }) => <LoginOrNone value={email} />,
      orderKey: 'email',
      wideOnly: 'xl',
    },
    loginUserId: {
      id: 'loginUserId',
      header: t('loginUserId'),
      cell: ({ loginUserId }) => <LoginOrNone value={loginUserId} />,
      orderKey: 'loginUserId',
      wideOnly: 'xl',
    },
    lastLoginAt: {
      id: 'lastLoginAt',
      header: t('lastLoginAt'),
      cell: ({ lastLoginAt }) => format.dateTime(lastLoginAt),
      orderKey: 'lastLoginAt',
      numeric: true,
      wideOnly: true,
      onCard: true,
    },
  };
}
