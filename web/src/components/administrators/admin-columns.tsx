import { Box, chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import type { Column } from '../../ui/list/data-table.tsx';
import { NameLink } from '../../ui/list/name-link.tsx';
import { LongWord } from '../../ui/long-word.tsx';
import type { RecordLinks } from '../record/record.ts';
import type { Administrator } from './admin-rules.ts';
import { roleNameOf } from './role.ts';
import { useIsSelf } from './use-is-self.ts';

export const adminOrderKeys = ['name', 'email', 'role', 'lastLoginAt', 'createdAt', 'id'] as const;
type OrderKey = (typeof adminOrderKeys)[number];

/** The columns of the lists of administrators. */
export function useAdministratorColumns({ toEdit }: RecordLinks): readonly Column<Administrator, OrderKey>[] {
  const { t } = useTranslation(['administrators', 'users', 'ui']);
  const format = useFormat();
  const isSelf = useIsSelf();
  return [
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
          <Box hideFrom="md" fontSize="xs" fontWeight="normal" color="fg.muted">
            <LongWord>{admin.email}</LongWord>
          </Box>
        </>
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
    {
      id: 'twoFactor',
      header: t('users:twoFactor.title'),
      cell: ({ twoFactor }) => t(twoFactor ? 'users:twoFactor.on' : 'users:twoFactor.off'),
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
