import { Box, chakra } from '@chakra-ui/react';
import type { companyAdminRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import type { Column } from '../../ui/list/data-table.tsx';
import { NameLink } from '../../ui/list/name-link.tsx';
import { LongWord } from '../../ui/long-word.tsx';
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
  const { t } = useTranslation(['companyAdmins', 'users', 'ui']);
  const format = useFormat();
  return [
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
          <NameLink to={toEdit(admin)}>{admin.name}</NameLink>
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
      id: 'twoFactor',
      header: t('users:twoFactor.title'),
      cell: ({ twoFactor }) => t(twoFactor ? 'users:twoFactor.on' : 'users:twoFactor.off'),
      width: '8rem',
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
      onCard: true,
    },
    {
      id: 'createdAt',
      header: t('createdAt'),
      cell: ({ createdAt }) => format.date(createdAt),
      orderKey: 'createdAt',
      numeric: true,
      width: '8rem',
      wideOnly: '2xl',
    },
  ];
}
