import { Box, chakra } from '@chakra-ui/react';
import type { RouteReply, tenantRoutes } from '@portal/contracts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { roleNameOf } from '../../../components/administrators/role.ts';
import { LicenceEnd } from '../../../components/licence-end.tsx';
import { partnerDetailLink, partnersOfUnitLink } from '../../../components/partner-links.ts';
import { editUnitAdminLink } from '../../../components/unit-links.ts';
import { useFormat } from '../../../lib/format.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { Link } from '../../../ui/link.tsx';
import { type Column, DataTable } from '../../../ui/list/data-table.tsx';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

type Unit = Pick<
  RouteReply<typeof tenantRoutes.listUnits>['units'][number],
  'unitId' | 'unitName' | 'partners' | 'admins'
>;
type UnitPartner = Unit['partners'][number];
type UnitAdmin = Unit['admins'][number];

/** The list of companies pages and searches more of them than these. */
const shownPartners = 10;

/** Who belongs to a unit: its partners with their licences, and its administrators. */
export function UnitMembers({ unit }: { unit: Unit }) {
  const { t } = useTranslation('units');
  return (
    <Box display="grid" gap="4" maxW="page" gridTemplateColumns="minmax(0, 1fr)">
      <Members title={t('partners')}>
        <UnitPartners unit={unit} />
      </Members>
      <Members title={t('admins')}>
        <UnitAdmins unit={unit} />
      </Members>
    </Box>
  );
}

function Members({ title, children }: { title: string; children: ReactNode }) {
  return (
    <chakra.section minW="0">
      <chakra.h2 mb="1.5" fontSize="sm" fontWeight="semibold">
        {title}
      </chakra.h2>
      {children}
    </chakra.section>
  );
}

function None({ children }: { children: ReactNode }) {
  return (
    <Panel px="5" py="4" color="fg.muted">
      {children}
    </Panel>
  );
}

export function UnitPartners({ unit }: { unit: Unit }) {
  const { t } = useTranslation(['units', 'partners', 'auth']);
  const format = useFormat();
  const { partners } = unit;
  const columns: readonly Column<UnitPartner>[] = [
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
  if (partners.length === 0) return <None>{t('noPartners')}</None>;
  return (
    <Panel>
      <DataTable
        caption={t('partnersOf', { name: unit.unitName })}
        columns={columns}
        rows={partners.slice(0, shownPartners)}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
      />
      <Box px="3" py="2" borderTopWidth="1px" borderColor="border.muted">
        <Link to={partnersOfUnitLink(unit.unitId)}>{t('allPartners', { count: partners.length })}</Link>
      </Box>
    </Panel>
  );
}

export function UnitAdmins({ unit }: { unit: Unit }) {
  const { t } = useTranslation(['units', 'administrators']);
  const may = useMay();
  const named = { id: unit.unitId, name: unit.unitName };
  const columns: readonly Column<UnitAdmin>[] = [
    {
      id: 'name',
      header: t('adminName'),
      cell: ({ adminEmail, adminId, adminName }) => (
        <>
          {may('updateUnitAdmin') ? (
            <NameLink to={editUnitAdminLink(named, adminId)}>{adminName}</NameLink>
          ) : (
            <LongWord>{adminName}</LongWord>
          )}
          <Box hideFrom="md" fontSize="xs" fontWeight="normal" color="fg.muted">
            <LongWord>{adminEmail}</LongWord>
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
    {
      id: 'role',
      header: t('adminRole'),
      cell: ({ role }) => t(`administrators:roles.${roleNameOf(role)}`),
    },
  ];
  if (unit.admins.length === 0) return <None>{t('noAdmins')}</None>;
  return (
    <Panel>
      <DataTable
        caption={t('adminsOf', { name: unit.unitName })}
        columns={columns}
        rows={unit.admins}
        rowId={({ adminId }) => adminId}
        rowName={({ adminName }) => adminName}
      />
    </Panel>
  );
}

function MailLink({ address }: { address: string }) {
  return (
    <chakra.a href={`mailto:${address}`} color="accent.fg" textDecoration="underline">
      <LongWord>{address}</LongWord>
    </chakra.a>
  );
}
