import { companyAdminRoutes, userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../lib/api.ts';
import { editLink } from '../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { adminCreateFlow, adminEditFlow, adminListPath, type CompanyAdminValues } from './admin-flows.ts';
import { CompanyAdminForm, useAdminItems } from './admin-form.tsx';
import { newAdminBody } from './admin-rules.ts';
import { useAdminCrumbs } from './use-admin-crumbs.ts';

/** What the completion tells besides. */
const passwordMailed = 'passwordMailed';
const asUser = 'asUser';

export function AdminCreatePage() {
  const { t } = useTranslation('companyAdmins');
  return (
    <>
      <PageHeader title={t('create')} crumbs={useAdminCrumbs(t('create'))} />
      <CompanyAdminForm />
    </>
  );
}

export function AdminCreateConfirmPage() {
  const { t } = useTranslation(['companyAdmins', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const flow = useFlow<CompanyAdminValues>();

  const submit = useAction({
    mutationFn: (values: CompanyAdminValues) =>
      api.call(companyAdminRoutes.createCompanyAdmin, {
        params: { pid: partner.id },
        body: newAdminBody(values),
        idempotencyKey: flow.idempotencyKey,
      }),
    async onSuccess({ id }, { createUserFlag, name, password }) {
      await Promise.all([
        queries.invalidateQueries({ queryKey: [companyAdminRoutes.listCompanyAdmins.id] }),
        queries.invalidateQueries({ queryKey: [userRoutes.listUsers.id] }),
      ]);
      await flow.finish(name, id, [
        ...(password === '' ? [passwordMailed] : []),
        ...(createUserFlag ? [asUser] : []),
      ]);
    },
    onError: flow.fail,
  });

  const { values } = flow;
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useAdminCrumbs(t('create'))}
      items={useAdminItems(values)}
      submitLabel={t('ui:create')}
      pending={submit.isPending}
      onSubmit={() => values && submit.mutate(values)}
      onBack={flow.back}
    />
  );
}

export function AdminCreateCompletePage() {
  const { t } = useTranslation('companyAdmins');
  const { partner } = usePartnerSession();
  const { notes, result, resultId } = useFlow<CompanyAdminValues>();
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useAdminCrumbs(t('create'))}
      message={t('created', { name: result })}
      notes={[
        ...(notes.includes(passwordMailed) ? [t('passwordMailed')] : []),
        ...(notes.includes(asUser) ? [t(partner.licenseType === 'user' ? 'licenceTaken' : 'madeUser')] : []),
      ]}
      next={
        <>
          <ButtonLink to={adminListPath}>{t('toList')}</ButtonLink>
          {resultId !== undefined && (
            <ButtonLink to={editLink(adminEditFlow.paths.form, resultId, partner.name)} variant="outline">
              {t('toRecord')}
            </ButtonLink>
          )}
          <ButtonLink to={adminCreateFlow.paths.form} variant="outline">
            {t('createAnother')}
          </ButtonLink>
        </>
      }
    />
  );
}
