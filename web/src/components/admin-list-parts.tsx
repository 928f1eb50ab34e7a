import { Box, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../lib/format.ts';
import type { Column } from '../ui/list/data-table.tsx';
import { NameLink } from '../ui/list/name-link.tsx';

/** What the lists of administrators and of company admins have in common. */

interface AdminNameProps {
  name: string;
  to: string;
  isSelf: boolean;
  /** What they sign in with, where it has no column. */
  login: ReactNode;
}

/** The name of somebody who is an admin; one's own is marked. */
export function AdminName({ isSelf, login, name, to }: AdminNameProps) {
  const { t } = useTranslation('ui');
  return (
    <>
      <NameLink to={to}>{name}</NameLink>
      {isSelf && (
        <chakra.span display="inline-block" me="2" fontSize="xs" color="fg.muted" whiteSpace="nowrap">
          {t('self')}
        </chakra.span>
      )}
      <Box hideFrom="md">{login}</Box>
    </>
  );
}

interface SignsIn {
  readonly twoFactor: boolean;
  readonly lastLoginAt: string | null;
  readonly createdAt: string;
}

/** How and when somebody signs in, and since when they can. */
export function useSignInColumns(headers: {
  lastLoginAt: string;
  createdAt: string;
}): readonly Column<SignsIn, 'lastLoginAt' | 'createdAt'>[] {
  const { t } = useTranslation('users');
  const format = useFormat();
  return [
    {
      id: 'twoFactor',
      header: t('twoFactor.title'),
      cell: ({ twoFactor }) => t(twoFactor ? 'twoFactor.on' : 'twoFactor.off'),
      width: '9rem',
      wideOnly: 'xl',
    },
    {
      id: 'lastLoginAt',
      header: headers.lastLoginAt,
      cell: ({ lastLoginAt }) => format.dateTime(lastLoginAt),
      orderKey: 'lastLoginAt',
      numeric: true,
      width: '11rem',
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'createdAt',
      header: headers.createdAt,
      cell: ({ createdAt }) => format.date(createdAt),
      orderKey: 'createdAt',
      numeric: true,
      width: '8rem',
      wideOnly: '2xl',
    },
  ];
}
