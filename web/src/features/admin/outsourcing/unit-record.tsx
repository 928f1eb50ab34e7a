import { Box, chakra } from '@chakra-ui/react';
import { type RouteReply, tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { defineRecord, type RecordLinks } from '../../../components/record/record.ts';
import { newUnitAdminLink, unitPaths } from '../../../components/unit-links.ts';
import { useFormat } from '../../../lib/format.ts';
import { useAdminSession, useMay } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/list/data-table.tsx';
import { idColumn } from '../../../ui/list/id-column.ts';
import { NameLink } from '../../../ui/list/name-link.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { DeleteUnits } from './delete-units.tsx';
import { UnitBody } from './unit-body.tsx';
import { type UnitDetail, UnitForm, useUnitItems } from './unit-form.tsx';
import { UnitMembers } from './unit-members.tsx';
import { emptyUnit, unitBody, unitValuesOf } from './unit-rules.ts';

type Answered = RouteReply<typeof tenantRoutes.listUnits>['units'][number];
export type UnitRow = ReturnType<typeof rowOf>;
type OrderKey = (typeof tenantRoutes.unitOrderKeys)[number];

const rowOf = (unit: Answered) => ({ ...unit, id: unit.unitId, name: unit.unitName });

function Licences({ unit }: { unit: UnitRow }) {
  const { t } = useTranslation('units');
  const { number } = useFormat();
  return (
    <Meter
      label={t('licensesOf', { name: unit.name })}
      value={unit.consumedLicense}
      max={unit.allocatedLicense}
      text={t('usage', {
        consumed: number(unit.consumedLicense),
        allocated: number(unit.allocatedLicense),
      })}
    />
  );
}

function useColumns({ toDetail }: RecordLinks): readonly Column<UnitRow, OrderKey>[] {
  const { t } = useTranslation('units');
  const format = useFormat();
  return [
    idColumn({ header: t('id'), width: '4.5rem', wideOnly: '2xl' }),
    {
      id: 'name',
      header: t('name'),
      cell: (unit) => (
        <>
          <NameLink to={toDetail(unit)}>{unit.name}</NameLink>
          <Box hideFrom="md" mt="1" fontSize="xs" fontWeight="normal">
            <Licences unit={unit} />
          </Box>
        </>
      ),
      orderKey: 'name',
      isRowHeader: true,
    },
    {
      id: 'licenses',
      header: t('licenses'),
      cell: (unit) => <Licences unit={unit} />,
      width: '15rem',
      wideOnly: true,
    },
    {
      id: 'partners',
      header: t('partners'),
      cell: ({ partners }) => format.number(partners.length),
      numeric: true,
      width: '6rem',
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'admins',
      header: t('admins'),
      cell: ({ admins }) => format.number(admins.length),
      numeric: true,
      width: '8rem',
      wideOnly: 'xl',
      onCard: true,
    },
    {
      id: 'canForceDistributeApp',
      header: t('canForceDistributeApp'),
      cell: ({ canForceDistributeApp }) => (
        <chakra.span whiteSpace="nowrap">{t(canForceDistributeApp ? 'allowed' : 'refused')}</chakra.span>
      ),
      width: '12rem',
      wideOnly: 'xl',
    },
  ];
}

function AddAdminLink({ id, name }: { id: number; name: string }) {
  const { t } = useTranslation('units');
  const may = useMay();
  if (!may('createUnitAdmin')) return null;
  return (
    <ButtonLink to={newUnitAdminLink({ id, name })} variant="outline">
      {t('addAdmin')}
    </ButtonLink>
  );
}

export const record = defineRecord({
  paths: unitPaths,
  texts: 'units',
  lines: 5,
  useScope: () => ({}),
  idParam: 'id',
  calls: {
    list: tenantRoutes.listUnits,
    get: tenantRoutes.getUnit,
    create: tenantRoutes.createUnit,
    update: tenantRoutes.updateUnit,
    remove: tenantRoutes.deleteUnit,
  },
  recordOf: (unit): UnitDetail => ({ ...unit, id: unit.unitId, name: unit.unitName }),
  Delete: DeleteUnits,
  alsoStale: [tenantRoutes.getOverview],
  list: {
    orderKeys: tenantRoutes.unitOrderKeys,
    defaultOrder: 'asc',
    filters: { q: 'text' },
    // An administrator of a unit sees that one.
    useIsSearched: () => !useAdminSession().outsourcingFlag,
    pageOf: (reply) => ({ ...reply, rows: reply.units.map(rowOf) }),
    useColumns,
    RowDetail: ({ row }) => <UnitMembers unit={row} />,
    rowHeight: '3.25rem',
  },
  form: {
    empty: emptyUnit,
    valuesOf: unitValuesOf,
    Form: UnitForm,
    useItems: useUnitItems,
    newBody: unitBody,
    editedBody: unitBody,
    Next: AddAdminLink,
  },
  detail: { useTitle: () => (unit) => unit.name, Body: UnitBody },
});
