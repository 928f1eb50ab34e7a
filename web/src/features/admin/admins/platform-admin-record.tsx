import { administratorRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import {
  adminOrderKeys,
  useAdministratorColumns,
} from '../../../components/administrators/admin-columns.tsx';
import { AdministratorForm, useAdministratorItems } from '../../../components/administrators/admin-form.tsx';
import {
  type AdminValues,
  adminValuesOf,
  editedAdminBody,
} from '../../../components/administrators/admin-rules.ts';
import { RemoveAdministratorTwoFactor } from '../../../components/administrators/remove-administrator-two-factor.tsx';
import { useIsSelf } from '../../../components/administrators/use-is-self.ts';
import { defineRecord } from '../../../components/record/record.ts';
import { platformAdminPaths } from './platform-admin-paths.ts';

function useNote(): () => string {
  const { t } = useTranslation('administrators');
  return () => t('tellPassword');
}

export const record = defineRecord({
  paths: platformAdminPaths,
  texts: 'platformAdmins',
  lines: 4,
  useScope: () => ({}),
  idParam: 'adminId',
  calls: {
    list: administratorRoutes.listAdmins,
    get: administratorRoutes.getAdmin,
    create: administratorRoutes.createAdmin,
    update: administratorRoutes.updateAdmin,
    remove: administratorRoutes.deleteAdmin,
  },
  list: {
    orderKeys: adminOrderKeys,
    defaultOrder: 'asc',
    filters: { q: 'text' },
    pageOf: (reply) => ({ ...reply, rows: reply.admins }),
    useColumns: useAdministratorColumns,
    useIsFixed: useIsSelf,
    RowActions: ({ row }) => (
      <RemoveAdministratorTwoFactor
        admin={row}
        stale={[administratorRoutes.listAdmins, administratorRoutes.getAdmin]}
      />
    ),
  },
  form: {
    // Little is given unless more is chosen.
    empty: { name: '', email: '', password: '', role: 1 } satisfies AdminValues,
    valuesOf: adminValuesOf,
    Form: (props) => <AdministratorForm {...props} paths={platformAdminPaths} of="platform" />,
    useItems: useAdministratorItems,
    newBody: (values: AdminValues) => values,
    editedBody: editedAdminBody,
    notesOf: () => ['tellPassword'],
    useNote,
  },
});
