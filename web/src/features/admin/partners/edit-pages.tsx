import { tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { partnerDetailLink, partnerListPath } from '../../../components/partner-links.ts';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { useIsFresh } from '../../../components/use-is-fresh.ts';
import { useApi } from '../../../lib/api.ts';
import { idOf } from '../../../lib/edit-link.ts';
import { useAdminSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import type { PartnerValues } from './partner-flows.ts';
import { PartnerForm } from './partner-form.tsx';
import { usePartnerItems, usePartnerWarnings } from './partner-items.tsx';
import { editedPartnerBody, emptyPartner, partnerValuesOf } from './partner-rules.ts';
import { usePartnerOfAddress, usePartnerPageCrumbs, usePartnersChanged } from './use-partner.ts';

export function PartnerEditPage() {
  const { t } = useTranslation('partnerForm');
  const partner = usePartnerOfAddress();
  const isFresh = useIsFresh(partner);
  return (
    <>
      <PageHeader
        title={partner.data ? t('editOf', { name: partner.data.name }) : t('edit')}
        crumbs={usePartnerPageCrumbs(t('edit'), partner.data)}
      />
      {partner.data && isFresh ? (
        <PartnerForm initial={partnerValuesOf(partner.data)} partner={partner.data} />
      ) : (
        <RecordLoader
          queries={[partner]}
          rows={14}
          action={<ButtonLink to={partnerListPath}>{t('toList')}</ButtonLink>}
        />
      )}
    </>
  );
}

export function PartnerEditConfirmPage() {
  const { t } = useTranslation(['partnerForm', 'ui']);
  const api = useApi();
  const { outsourcingFlag } = useAdminSession();
  const changed = usePartnersChanged();
  const [params] = useSearchParams();
  const { data: partner } = usePartnerOfAddress();
  const flow = useFlow<PartnerValues>();
  const pid = idOf(params);

  const submit = useAction({
    mutationFn: (values: PartnerValues) =>
      api.call(tenantRoutes.updatePartner, {
        params: { pid },
        body: editedPartnerBody(values, { asksUnit: !outsourcingFlag, before: flow.before }),
      }),
    async onSuccess(_, { name }) {
      // First, as the form of a company that has changed would be another one.
      await flow.finish(name, pid);
      await changed();
    },
    onError: flow.fail,
  });

  const { before, values } = flow;
  const warnings = usePartnerWarnings(flow, partner);
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={usePartnerPageCrumbs(t('edit'), partner)}
      items={usePartnerItems(values ?? emptyPartner, before)}
      warning={warnings.length > 0 && warnings.map((warning) => <p key={warning}>{warning}</p>)}
      submitLabel={t('ui:save')}
      pending={submit.isPending || partner === undefined}
      onSubmit={() => values && partner && submit.mutate(values)}
      onBack={flow.back}
    />
  );
}

export function PartnerEditCompletePage() {
  const { t } = useTranslation('partnerForm');
  const { result = '', resultId } = useFlow<PartnerValues>();
  return (
    <CompletePage
      title={t('complete')}
      crumbs={usePartnerPageCrumbs(t('edit'))}
      message={t('updated', { name: result })}
      next={
        <>
          <ButtonLink to={partnerListPath}>{t('toList')}</ButtonLink>
          {resultId !== undefined && (
            <ButtonLink to={partnerDetailLink({ id: resultId, name: result })} variant="outline">
              {t('toPartner')}
            </ButtonLink>
          )}
        </>
      }
    />
  );
}
