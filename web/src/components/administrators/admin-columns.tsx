import { useTranslation } from 'react-i18next';
import type { Column } from '../../ui/list/data-table.tsx';
import { SecondLine } from '../../ui/list/second-line.tsx';
import { LongWord } from '../../ui/long-word.tsx';
import { AdminName, useSignInColumns } from '../admin-list-parts.tsx';
import type { RecordLinks } from '../record/record.ts';
import type { Administrator } from './admin-rules.ts';
import { roleNameOf } from './role.ts';
import { useIsSelf } from './use-is-self.ts';

export const adminOrderKeys = ['name', 'email', 'role', 'lastLoginAt', 'createdAt', 'id'] as const;
type OrderKey = (typeof adminOrderKeys)[number];

/** The columns of the lists of administrators. */
export function useAdministratorColumns({ toEdit }: RecordLinks): readonly Column<Administrator, OrderKey>[] {
  const { t } = useTranslation('administrators');
  const isSelf = useIsSelf();
  return [
    {
      id: 'name',
      header: t('name'),
      cell: (admin) => (
        <AdminName
          name={admin.name}
          to={toEdit(admin)}
          isSelf={isSelf(admin)}
          login={
            <SecondLine>
              <LongWord>{admin.email}</LongWord>
            </SecondLine>
          }
        />
      ),
      orderKey: 'name',
      isRowHeader: true,
    },
    {
      id: 'email',
      header: t('email'),
      cell: ({ email }) => <LongWord>{email}</LongWord>,
      orderKey: 'email',
      wideOnly: true,
    },
    {
      id: 'role',
      header: t('role'),
      cell: ({ role }) => t(`roles.${roleNameOf(role)}`),
      orderKey: 'role',
      width: '12rem',
    },
    ...useSignInColumns({ lastLoginAt: t('lastLoginAt'), createdAt: t('createdAt') }),
  ];
}
