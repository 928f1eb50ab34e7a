import type { companyAdminRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../ui/list/data-table.tsx';
import { idColumn } from '../../ui/list/id-column.ts';
import { LongWord } from '../../ui/long-word.tsx';
import { AdminName, useSignInColumns } from '../admin-list-parts.tsx';
import type { RecordLinks } from '../record/record.ts';
import { LoginBelow, loginOf } from '../users/user-parts.tsx';
import type { CompanyAdmin } from './admin-rules.ts';

type OrderKey = (typeof companyAdminRoutes.companyAdminOrderKeys)[number];

const nobody = () => false;

/** The columns of a list of company admins; one's own row is marked. */
export function useCompanyAdminColumns(
  { toEdit }: RecordLinks,
  isSelf: (admin: CompanyAdmin) => boolean = nobody,
): readonly Column<CompanyAdmin, OrderKey>[] {
  const { t } = useTranslation('companyAdmins');
  return [
    idColumn({ header: t('id'), width: '5rem', wideOnly: 'xl' }),
    {
      id: 'name',
      header: t('name'),
      cell: (admin) => (
        <AdminName
          name={admin.name}
          to={toEdit(admin)}
          isSelf={isSelf(admin)}
          login={<LoginBelow user={admin} />}
        />
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
    ...useSignInColumns({ lastLoginAt: t('lastLoginAt'), createdAt: t('createdAt') }),
  ];
}
