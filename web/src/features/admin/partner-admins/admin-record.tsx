import { companyAdminRoutes, tenantRoutes, twoFactorRoutes } from '@portal/contracts';
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
import { useParentOf } from '../../../components/record/use-parent-of.ts';
import { usePartner, usePartnerCrumbs } from '../../../components/use-partner-crumbs.ts';
import { useApi } from '../../../lib/api.ts';
import { viewerZone } from '../../../lib/format.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { partnerAdminPaths } from './admin-paths.ts';

const useChosenPartner = () => useParentOf(partnerAdminPaths);

/** Whether a password is too easily guessed is known when the admin is saved: administrators have no call to ask before. */
function AdminForm(props: Omit<CompanyAdminFormProps, 'isAccepted' | 'paths'>) {
  return <CompanyAdminForm {...props} paths={partnerAdminPaths} isAccepted={() => Promise.resolve(true)} />;
}

function RemoveTwoFactorOf({ row: admin }: { row: CompanyAdmin }) {
  const may = useMay();
  const api = useApi();
  const { id: pid } = useChosenPartner();
  if (!admin.twoFactor || !may('removePartnerAdminTwoFactor')) return null;
  return (
    <RemoveAdminTwoFactor
      admin={admin}
      list={companyAdminRoutes.listPartnerAdmins}
      remove={() =>
        api.call(twoFactorRoutes.removePartnerAdminTwoFactor, { params: { pid, adminId: admin.id } })
      }
    />
  );
}

function useNote(): (note: string) => string {
  const { partner } = usePartner(useChosenPartner());
  return useAdminNote(partner?.licenseType);
}

export const record = defineRecord({
  paths: partnerAdminPaths,
  texts: 'companyAdmins',
  lines: 4,
  useScope: () => ({ pid: useChosenPartner().id }),
  idParam: 'adminId',
  useParentCrumbs: () => usePartnerCrumbs(useChosenPartner()),
  useParentName: () => usePartner(useChosenPartner()).name,
  calls: {
    list: companyAdminRoutes.listPartnerAdmins,
    get: companyAdminRoutes.getPartnerAdmin,
    create: companyAdminRoutes.createPartnerAdmin,
    update: companyAdminRoutes.updatePartnerAdmin,
    remove: companyAdminRoutes.deletePartnerAdmins,
    csv: companyAdminRoutes.exportPartnerAdmins,
  },
  // Who is a user as well takes a licence of the company.
  alsoStale: [tenantRoutes.getSummary],
  list: {
    orderKeys: companyAdminRoutes.companyAdminOrderKeys,
    filters: { q: 'text', name: 'text', email: 'text' },
    pageOf: (reply) => ({ ...reply, rows: reply.admins }),
    useColumns: useCompanyAdminColumns,
    csv: { fileName: 'admins.csv', query: () => ({ tz: viewerZone() }) },
    RowActions: RemoveTwoFactorOf,
  },
  form: {
    empty: emptyAdmin,
    valuesOf: adminValuesOf,
    Form: AdminForm,
    useItems: useAdminItems,
    newBody: newAdminBody,
    editedBody: editedAdminBody,
    notesOf: notesOfAdmin,
    useNote,
  },
});
