import { companyAdminRoutes, userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { idOf } from '../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { RecordLoader } from '../../shared/record-loader.tsx';
import { adminListPath, type CompanyAdminValues } from './admin-flows.ts';
import { CompanyAdminForm, useAdminItems } from './admin-form.tsx';
import { editedAdminBody } from './admin-rules.ts';
import { useAdminCrumbs } from './use-admin-crumbs.ts';

/** The company admin whose `id` stands in the address. */
function useCompanyAdmin() {
  const { partner } = usePartnerSession();
  const [params] = useSearchParams();
  return useApiQuery(companyAdminRoutes.getCompanyAdmin, {
    params: { pid: partner.id, adminId: idOf(params) },
  });
}

export function AdminEditPage() {
  const { t } = useTranslation('companyAdmins');
  const admin = useCompanyAdmin();
  return (
    <>
      <PageHeader
        title={admin.data ? t('editOf', { name: admin.data.name }) : t('edit')}
        crumbs={useAdminCrumbs(t('edit'))}
      />
      {admin.data ? (
        <CompanyAdminForm admin={admin.data} />
      ) : (
        <RecordLoader
          queries={[admin]}
          rows={4}
          action={<ButtonLink to={adminListPath}>{t('toList')}</ButtonLink>}
        />
      )}
    </>
  );
}

export function AdminEditConfirmPage() {
  const { t } = useTranslation(['companyAdmins', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const [params] = useSearchParams();
  const admin = useCompanyAdmin();
  const flow = useFlow<CompanyAdminValues>();

  const submit = useAction({
    mutationFn: (values: CompanyAdminValues) =>
      api.call(companyAdminRoutes.updateCompanyAdmin, {
        params: { pid: partner.id, adminId: idOf(params) },
        body: editedAdminBody(values),
      }),
    async onSuccess(_, { name }) {
      await flow.finish(name);
      // One account: an admin may be on the pages of users too.
      const stale = [
        companyAdminRoutes.listCompanyAdmins,
        companyAdminRoutes.getCompanyAdmin,
        userRoutes.listUsers,
        userRoutes.getUser,
      ];
      await Promise.all(stale.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
    },
    onError: flow.fail,
  });

  const { values } = flow;
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useAdminCrumbs(t('edit'))}
      items={useAdminItems(values, admin.data)}
      submitLabel={t('ui:save')}
      pending={submit.isPending}
      onSubmit={() => values && submit.mutate(values)}
      onBack={flow.back}
    />
  );
}

export function AdminEditCompletePage() {
  const { t } = useTranslation('companyAdmins');
  const { result } = useFlow<CompanyAdminValues>();
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useAdminCrumbs(t('edit'))}
      message={t('updated', { name: result })}
      next={<ButtonLink to={adminListPath}>{t('toList')}</ButtonLink>}
    />
  );
}
