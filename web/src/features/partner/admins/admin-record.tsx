import { companyAdminRoutes, twoFactorRoutes, userRoutes } from '@portal/contracts';
import { useCompanyAdminColumns } from '../../../components/company-admins/admin-columns.tsx';
import {
  CompanyAdminForm,
  type CompanyAdminFormProps,
  useAdminItems,
} from '../../../components/company-admins/admin-form.tsx';
import { notesOfAdmin, useAdminNote } from '../../../components/company-admins/admin-notes.ts';
import {
  adminValuesOf,
  type CompanyAdmin,
  editedAdminBody,
  emptyAdmin,
  newAdminBody,
} from '../../../components/company-admins/admin-rules.ts';
import { RemoveAdminTwoFactor } from '../../../components/company-admins/remove-admin-two-factor.tsx';
import { defineRecord } from '../../../components/record/record.ts';
import { useOwnCompany } from '../../../components/record/use-record.ts';
import { usePasswordCheck } from '../../../components/use-password-check.ts';
import { useApi } from '../../../lib/api.ts';
import { viewerZone } from '../../../lib/format.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import { adminPaths } from './admin-paths.ts';

function useIsSelf(): (admin: CompanyAdmin) => boolean {
  const { user } = usePartnerSession();
  return ({ id }) => id === user.id;
}

function OwnAdminForm(props: Omit<CompanyAdminFormProps, 'isAccepted' | 'paths'>) {
  return <CompanyAdminForm {...props} paths={adminPaths} isAccepted={usePasswordCheck()} />;
}

function RemoveTwoFactorOf({ row: admin }: { row: CompanyAdmin }) {
  const { id, twoFactor } = admin;
  const may = useMay();
  const api = useApi();
  const { partner, user } = usePartnerSession();
  if (!twoFactor || id === user.id || !may('removeCompanyAdminTwoFactor')) return null;
  return (
    <RemoveAdminTwoFactor
      admin={admin}
      list={companyAdminRoutes.listCompanyAdmins}
      remove={() =>
        api.call(twoFactorRoutes.removeCompanyAdminTwoFactor, { params: { pid: partner.id, adminId: id } })
      }
    />
  );
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
    useColumns: (links) => useCompanyAdminColumns(links, useIsSelf()),
    csv: { fileName: 'admins.csv', query: () => ({ tz: viewerZone() }) },
    useIsFixed: useIsSelf,
    RowActions: RemoveTwoFactorOf,
  },
  form: {
    empty: emptyAdmin,
    valuesOf: adminValuesOf,
    Form: OwnAdminForm,
    useItems: useAdminItems,
    newBody: newAdminBody,
    editedBody: editedAdminBody,
    notesOf: notesOfAdmin,
    useNote: () => useAdminNote(usePartnerSession().partner.licenseType),
  },
});
