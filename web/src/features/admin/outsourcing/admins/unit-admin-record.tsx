import { administratorRoutes, type RouteReply, tenantRoutes, unitAdminRole } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import {
  adminOrderKeys,
  useAdministratorColumns,
} from '../../../../components/administrators/admin-columns.tsx';
import {
  AdministratorForm,
  useAdministratorItems,
} from '../../../../components/administrators/admin-form.tsx';
import {
  type Administrator,
  type AdminValues,
  adminValuesOf,
  editedAdminBody,
} from '../../../../components/administrators/admin-rules.ts';
import { RemoveAdministratorTwoFactor } from '../../../../components/administrators/remove-administrator-two-factor.tsx';
import { useIsSelf } from '../../../../components/administrators/use-is-self.ts';
import { pageOfAll } from '../../../../components/record/page-of-all.ts';
import { defineRecord } from '../../../../components/record/record.ts';
import { useParentOf } from '../../../../components/record/use-parent-of.ts';
import { unitAdminPaths, unitLink, unitPaths } from '../../../../components/unit-links.ts';
import { useAdminSession } from '../../../../lib/session/use-session.ts';
import type { Crumb } from '../../../../ui/page/page-header.tsx';

type Answered = RouteReply<typeof administratorRoutes.listUnitAdmins>['admins'][number];

const adminOf = ({ adminEmail, adminId, adminName, ...admin }: Answered): Administrator => ({
  ...admin,
  id: adminId,
  name: adminName,
  email: adminEmail,
});

/** The unit in the address; for an administrator of a unit always their own. */
function useUnit(): { readonly unitId: number } {
  const { unitId } = useAdminSession();
  const { id } = useParentOf(unitAdminPaths);
  return { unitId: unitId ?? id };
}

function useUnitCrumbs(): readonly Crumb[] {
  const { t } = useTranslation('units');
  const unit = useParentOf(unitAdminPaths);
  return [
    { label: t('title'), to: unitPaths.list },
    ...(unit.id === 0 || unit.name === '' ? [] : [{ label: unit.name, to: unitLink(unit) }]),
  ];
}

export const record = defineRecord({
  paths: unitAdminPaths,
  texts: 'unitAdmins',
  lines: 4,
  useScope: useUnit,
  useParentCrumbs: useUnitCrumbs,
  idParam: 'adminId',
  calls: {
    list: administratorRoutes.listUnitAdmins,
    get: administratorRoutes.getUnitAdmin,
    create: administratorRoutes.createUnitAdmin,
    update: administratorRoutes.updateUnitAdmin,
    remove: administratorRoutes.deleteUnitAdmin,
  },
  recordOf: adminOf,
  alsoStale: [tenantRoutes.listUnits, tenantRoutes.getUnit],
  list: {
    orderKeys: adminOrderKeys,
    defaultOrder: 'asc',
    filters: { q: 'text' },
    pageOf: ({ admins }, list) =>
      pageOfAll(admins.map(adminOf), list, ({ email, name }) => [name, email], {
        id: ({ id }) => id,
        name: ({ name }) => name,
        email: ({ email }) => email,
        role: ({ role }) => role,
        lastLoginAt: ({ lastLoginAt }) => lastLoginAt,
        createdAt: ({ createdAt }) => createdAt,
      }),
    useColumns: useAdministratorColumns,
    useIsFixed: useIsSelf,
    RowActions: ({ row }) => (
      <RemoveAdministratorTwoFactor
        admin={row}
        stale={[administratorRoutes.listUnitAdmins, administratorRoutes.getUnitAdmin]}
      />
    ),
  },
  form: {
    empty: { name: '', email: '', password: '', role: unitAdminRole } satisfies AdminValues,
    valuesOf: adminValuesOf,
    Form: (props) => <AdministratorForm {...props} paths={unitAdminPaths} of="unit" />,
    useItems: useAdministratorItems,
    newBody: (values: AdminValues) => values,
    editedBody: editedAdminBody,
    notesOf: () => ['tellPassword'],
    useNote,
  },
});

function useNote(): () => string {
  const { t } = useTranslation('administrators');
  return () => t('tellPassword');
}
