import { type RouteReply, tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import {
  newPartnerAdminLink,
  partnerDetailLink,
  partnerListPath,
} from '../../../components/partner-links.ts';
import { useApi } from '../../../lib/api.ts';
import { useAdminSession, useMay } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { DemoUsers } from './demo-users.tsx';
import { type PartnerValues, partnerCreateFlow } from './partner-flows.ts';
import { PartnerForm } from './partner-form.tsx';
import { usePartnerItems } from './partner-items.tsx';
import { emptyPartner, newPartnerBody } from './partner-rules.ts';
import { usePartnerPageCrumbs, usePartnersChanged } from './use-partner.ts';

/** The note that demo users were asked for; their passwords are gone after a reload. */
const withDemoUsers = 'with demo users';

/** The unit of a new company: one's own, or the one that a page of units has named in the address. */
function useUnitAtFirst(): number {
  const { outsourcingFlag, unitId } = useAdminSession();
  const [params] = useSearchParams();
  const named = Number(params.get('unitId'));
  if (outsourcingFlag) return unitId ?? 0;
  return Number.isInteger(named) && named > 0 ? named : 0;
}

export function PartnerCreatePage() {
  const { t, i18n } = useTranslation('partnerForm');
  const unitId = useUnitAtFirst();
  const lang = i18n.language === 'en' ? 'en' : 'ja';
  return (
    <>
      <PageHeader title={t('create')} crumbs={usePartnerPageCrumbs(t('create'))} />
      <PartnerForm initial={{ ...emptyPartner, unitId, lang }} />
    </>
  );
}

export function PartnerCreateConfirmPage() {
  const { t } = useTranslation(['partnerForm', 'ui']);
  const api = useApi();
  const { outsourcingFlag } = useAdminSession();
  const changed = usePartnersChanged();
  const flow = useFlow<PartnerValues>();

  const submit = useAction({
    mutationFn: (values: PartnerValues): Promise<RouteReply<typeof tenantRoutes.createPartner>> =>
      api.call(tenantRoutes.createPartner, {
        body: newPartnerBody(values, { asksUnit: !outsourcingFlag }),
        idempotencyKey: flow.idempotencyKey,
      }),
    async onSuccess({ id, partnerCode, demoUsers = [] }, { name, createDemoUsers }) {
      await changed();
      await flow.finish(name, id, {
        notes: [partnerCode, ...(createDemoUsers ? [withDemoUsers] : [])],
        secrets: demoUsers.map(({ loginUserId, password }) => ({ name: loginUserId, secret: password })),
      });
    },
    onError: flow.fail,
  });

  const { values } = flow;
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={usePartnerPageCrumbs(t('create'))}
      items={usePartnerItems(values ?? emptyPartner, undefined)}
      submitLabel={t('ui:create')}
      pending={submit.isPending}
      onSubmit={() => values && submit.mutate(values)}
      onBack={flow.back}
    />
  );
}

export function PartnerCreateCompletePage() {
  const { t } = useTranslation('partnerForm');
  const may = useMay();
  const { notes, result = '', resultId, secrets } = useFlow<PartnerValues>();
  const [code = '', ...others] = notes;
  const hidesDemoUsers = others.includes(withDemoUsers) && secrets.length === 0;
  const partner = resultId === undefined ? undefined : { id: resultId, name: result };
  const createsAdmin = may('createPartnerAdmin');
  return (
    <CompletePage
      title={t('complete')}
      crumbs={usePartnerPageCrumbs(t('create'))}
      message={t('created', { name: result })}
      notes={[
        ...(code ? [t('codeIs', { code })] : []),
        ...(hidesDemoUsers ? [t('demoUsersShown')] : []),
        ...(createsAdmin ? [t('firstAdmin')] : []),
      ]}
      next={
        <>
          {partner && createsAdmin && (
            <ButtonLink to={newPartnerAdminLink(partner)}>{t('createAdmin')}</ButtonLink>
          )}
          {partner && (
            <ButtonLink to={partnerDetailLink(partner)} variant="outline">
              {t('toPartner')}
            </ButtonLink>
          )}
          <ButtonLink to={partnerListPath} variant="outline">
            {t('toList')}
          </ButtonLink>
          <ButtonLink to={partnerCreateFlow.paths.form} variant="outline">
            {t('createAnother')}
          </ButtonLink>
        </>
      }
    >
      {secrets.length > 0 && <DemoUsers code={code} users={secrets} />}
    </CompletePage>
  );
}
