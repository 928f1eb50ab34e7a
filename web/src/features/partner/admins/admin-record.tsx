import { Box, chakra } from '@chakra-ui/react';
import { companyAdminRoutes, userRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { defineRecord, type RecordLinks } from '../../../components/record/record.ts';
import { useOwnCompany } from '../../../components/record/use-record.ts';
import { LoginBelow, loginOf } from '../../../components/users/user-parts.tsx';
import { useFormat, viewerZone } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import type { Column } from '../../../ui/list/data-table.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { CompanyAdminForm, useAdminItems } from './admin-form.tsx';
import { adminPaths } from './admin-paths.ts';
import {
  adminValuesOf,
  type CompanyAdmin,
  editedAdminBody,
  emptyAdmin,
  newAdminBody,
} from './admin-rules.ts';
import { RemoveAdminTwoFactor } from './remove-admin-two-factor.tsx';

type OrderKey = (typeof companyAdminRoutes.companyAdminOrderKeys)[number];

function useIsSelf(): (admin: CompanyAdmin) => boolean {
  const { user } = usePartnerSession();
  return ({ id }) => id === user.id;
}

function useColumns({ toEdit }: RecordLinks): readonly Column<CompanyAdmin, OrderKey>[] {
  const { t } = useTranslation(['companyAdmins', 'users', 'ui']);
  const format = useFormat();
  const isSelf = useIsSelf();
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

/** What the completion tells besides. */
type Note = 'passwordMailed' | 'asUser';

function useNote(): (note: string) => string {
  const { t } = useTranslation('companyAdmins');
  const { partner } = usePartnerSession();
  const asUser = partner.licenseType === 'user' ? 'licenceTaken' : 'madeUser';
  return (note) => t(note === ('asUser' satisfies Note) ? asUser : 'passwordMailed');
}

export const record = defineRecord({
  paths: adminPaths,
  texts: 'companyAdmins',
  lines: 4,
  useScope: useOwnCompany,
  idParam: 'adminId',
  calls: {
    list: companyAdminRoutes.listCompanyAdmins,
    get: companyAdminRoutes.getCompanyAdmin,
    create: companyAdminRoutes.createCompanyAdmin,
    update: companyAdminRoutes.updateCompanyAdmin,
    remove: companyAdminRoutes.deleteCompanyAdmins,
    csv: companyAdminRoutes.exportCompanyAdmins,
  },
  // One account: an admin may be on the pages of users too.
  alsoStale: [userRoutes.listUsers, userRoutes.getUser],
  list: {
    orderKeys: companyAdminRoutes.companyAdminOrderKeys,
    filters: { q: 'text', name: 'text', email: 'text' },
    pageOf: (reply) => ({ ...reply, rows: reply.admins }),
    useColumns,
    csv: { fileName: 'admins.csv', query: () => ({ tz: viewerZone() }) },
    useIsFixed: useIsSelf,
    RowActions: RemoveAdminTwoFactor,
  },
  form: {
    empty: emptyAdmin,
    valuesOf: adminValuesOf,
    Form: CompanyAdminForm,
    useItems: useAdminItems,
    newBody: newAdminBody,
    editedBody: editedAdminBody,
    notesOf: ({ createUserFlag, password }): Note[] => [
      ...(password === '' ? (['passwordMailed'] as const) : []),
      ...(createUserFlag ? (['asUser'] as const) : []),
    ],
    useNote,
  },
});
