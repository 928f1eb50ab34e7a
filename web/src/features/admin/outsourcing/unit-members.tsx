import { Box, chakra } from '@chakra-ui/react';
import { adminRoleBits, hasAnyRole, type RouteReply, type tenantRoutes } from '@portal/contracts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LicenceEnd } from '../../../components/licence-end.tsx';
import { partnerDetailLink } from '../../../components/partner-links.ts';
import type { units } from '../../../i18n/ja/units.ts';
import { useFormat } from '../../../lib/format.ts';
import { type Column, DataTable } from '../../../ui/list/data-table.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

type Unit = RouteReply<typeof tenantRoutes.listUnits>['units'][number];
type UnitPartner = Unit['partners'][number];
type UnitAdmin = Unit['admins'][number];

/** Roles are cumulative: the highest bit names them. */
const roleNames: readonly (readonly [bit: number, name: keyof typeof units.roles])[] = [
  [adminRoleBits.superAdministration, 'superadmin'],
  [adminRoleBits.unitAdministration, 'unitadmin'],
  [adminRoleBits.partnerAdministration, 'tenantadmin'],
  [adminRoleBits.groupAdministration, 'groupadmin'],
  [adminRoleBits.userAdministration, 'useradmin'],
  [adminRoleBits.fileAdministration, 'fileadmin'],
];

function roleNameOf(role: number): keyof typeof units.roles {
  return roleNames.find(([bit]) => hasAnyRole(role, bit))?.[1] ?? 'noadmin';
}

/** Who belongs to a unit: its partners with their licences, and its administrators. */
export function UnitMembers({ unit }: { unit: Unit }) {
  const { t } = useTranslation(['units', 'partners', 'auth']);
  const format = useFormat();

  const partnerColumns: readonly Column<UnitPartner>[] = [
    {
      id: 'name',
      header: t('partners:name'),
      cell: (partner) => (
        <>
          <NameLink to={partnerDetailLink(partner)}>{partner.name}</NameLink>
          <chakra.span display="block" hideFrom="md" fontSize="xs" fontWeight="normal" color="fg.muted">
            {t(`auth:ranks.${partner.contractRank}`)}
          </chakra.span>
        </>
      ),
      isRowHeader: true,
    },
    {
      id: 'rank',
      header: t('partners:rank'),
      cell: ({ contractRank }) => t(`auth:ranks.${contractRank}`),
      wideOnly: true,
    },
    {
      id: 'licenseType',
      header: t('partners:licenseType'),
      cell: ({ licenseType }) => t(`auth:licenseTypes.${licenseType}`),
      wideOnly: 'xl',
    },
    {
      id: 'licenseCount',
      header: t('partners:licenseCount'),
      cell: ({ licenseCount }) => format.number(licenseCount),
      numeric: true,
      wideOnly: true,
    },
    {
      id: 'licenseExpiredOn',
      header: t('partners:licenseExpiredOn'),
      cell: ({ licenseExpiredOn }) => <LicenceEnd expiredOn={licenseExpiredOn} />,
    },
  ];
  const adminColumns: readonly Column<UnitAdmin>[] = [
    {
      id: 'name',
      header: t('adminName'),
      cell: ({ adminEmail, adminName }) => (
        <>
          <LongWord>{adminName}</LongWord>
          <Box hideFrom="md" fontSize="xs" fontWeight="normal">
            <MailLink address={adminEmail} />
          </Box>
        </>
      ),
      isRowHeader: true,
    },
    {
      id: 'email',
      header: t('adminEmail'),
      cell: ({ adminEmail }) => <MailLink address={adminEmail} />,
      wideOnly: true,
    },
    { id: 'role', header: t('adminRole'), cell: ({ role }) => t(`roles.${roleNameOf(role)}`) },
  ];

  return (
    <Box display="grid" gap="4" maxW="page" gridTemplateColumns="minmax(0, 1fr)">
      <Members title={t('partners')} none={unit.partners.length === 0 && t('noPartners')}>
        <DataTable
          caption={t('partnersOf', { name: unit.unitName })}
          columns={partnerColumns}
          rows={unit.partners}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
        />
      </Members>
      <Members title={t('admins')} none={unit.admins.length === 0 && t('noAdmins')}>
        <DataTable
          caption={t('adminsOf', { name: unit.unitName })}
          columns={adminColumns}
          rows={unit.admins}
          rowId={({ adminId }) => adminId}
          rowName={({ adminName }) => adminName}
        />
      </Members>
    </Box>
  );
}

function MailLink({ address }: { address: string }) {
  return (
    <chakra.a href={`mailto:${address}`} color="accent.fg" textDecoration="underline">
      <LongWord>{address}</LongWord>
    </chakra.a>
  );
}

/** `none` is said instead of an empty table. */
function Members({ title, none, children }: { title: string; none: string | false; children: ReactNode }) {
  return (
    <chakra.section minW="0">
      <chakra.h2 mb="1.5" fontSize="sm" fontWeight="semibold">
        {title}
      </chakra.h2>
      <Panel>
        {none ? (
          <chakra.p p="3" color="fg.muted">
            {none}
          </chakra.p>
        ) : (
          children
        )}
      </Panel>
    </chakra.section>
  );
}
