import { chakra } from '@chakra-ui/react';
import { pushRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CertificateFields } from '../../../components/certificates/certificate-fields.tsx';
import {
  type Certificate,
  type CertificateValues,
  certificateBody,
  changedCertificateBody,
  emptyCertificate,
} from '../../../components/certificates/certificate-rules.ts';
import { useCertificateForm } from '../../../components/certificates/use-certificate-form.ts';
import {
  useCertificateFacts,
  useCertificateItems,
} from '../../../components/certificates/use-certificate-items.tsx';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { useIsFresh } from '../../../components/use-is-fresh.ts';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { type Crumb, PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { certificationCreateFlow, certificationEditFlow, certificationPath } from './certification-flows.ts';

const menuPath = '/admin/menu';

function useCrumbs(here?: string): readonly Crumb[] {
  const { t } = useTranslation(['certificates', 'shell']);
  const home = { label: t('shell:home'), to: menuPath };
  const title = t('operator.title');
  return here === undefined
    ? [home, { label: title }]
    : [home, { label: title, to: certificationPath }, { label: here }];
}

const useCertification = () => useApiQuery(pushRoutes.getOperatorCertification, {});

/** What every company without a certificate of its own sends with. */
export function CertificationPage() {
  const { t } = useTranslation(['certificates', 'ui']);
  const may = useMay();
  const { data, error, refetch } = useCertification();
  const create = may('createOperatorCertification') && (
    <ButtonLink to={certificationCreateFlow.paths.form} icon={<Plus />}>
      {t('operator.create')}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={t('operator.title')}
        lead={t('operator.lead')}
        crumbs={useCrumbs()}
        action={
          data &&
          may('updateOperatorCertification') && (
            <ButtonLink to={certificationEditFlow.paths.form} variant="outline" icon={<Pencil />}>
              {t('ui:edit')}
            </ButtonLink>
          )
        }
      />
      <chakra.div maxW="page">
        {data ? (
          <Facts certificate={data} />
        ) : error?.code === 'E40401' ? (
          <Panel>
            <EmptyState title={t('operator.emptyTitle')} action={create}>
              {t('operator.emptyText')}
            </EmptyState>
          </Panel>
        ) : (
          <RecordLoader
            queries={[{ error, refetch }]}
            rows={6}
            action={<ButtonLink to={menuPath}>{t('operator.toMenu')}</ButtonLink>}
          />
        )}
      </chakra.div>
    </>
  );
}

function Facts({ certificate }: { certificate: Certificate }) {
  const { t } = useTranslation('certificates');
  const { dateTime } = useFormat();
  return (
    <Panel>
      <DescriptionList
        items={[
          ...useCertificateFacts(certificate),
          { label: t('createdAt'), value: dateTime(certificate.createdAt) },
          { label: t('updatedAt'), value: dateTime(certificate.updatedAt) },
        ]}
      />
    </Panel>
  );
}

function CertificateForm({ before }: { before?: Certificate }) {
  const { t } = useTranslation('ui');
  const certificate = useCertificateForm(emptyCertificate, false, before);
  const { form, isReading, submit } = certificate;
  return (
    <Form
      form={form}
      submitLabel={t('toConfirm')}
      pending={isReading}
      onSubmit={submit}
      cancel={
        <ButtonLink to={menuPath} size="md" variant="outline" colorPalette="gray">
          {t('cancel')}
        </ButtonLink>
      }
    >
      <CertificateFields before={before} {...certificate} />
    </Form>
  );
}

export function CertificationCreatePage() {
  const { t } = useTranslation('certificates');
  return (
    <>
      <PageHeader title={t('operator.create')} crumbs={useCrumbs(t('operator.create'))} />
      <CertificateForm />
    </>
  );
}

export function CertificationEditPage() {
  const { t } = useTranslation('certificates');
  const certification = useCertification();
  const { data } = certification;
  const isFresh = useIsFresh(certification);
  return (
    <>
      <PageHeader title={t('operator.edit')} crumbs={useCrumbs(t('operator.edit'))} />
      {data && isFresh ? (
        <CertificateForm before={data} />
      ) : (
        <RecordLoader
          queries={[certification]}
          rows={6}
          action={<ButtonLink to={certificationPath}>{t('operator.toIt')}</ButtonLink>}
        />
      )}
    </>
  );
}

export function CertificationCreateConfirmPage() {
  const { t } = useTranslation(['certificates', 'ui']);
  const api = useApi();
  const flow = useFlow<CertificateValues>();
  const submit = useAction({
    mutationFn: async (values: CertificateValues) =>
      api.call(pushRoutes.createOperatorCertification, {
        body: await certificateBody(values),
        idempotencyKey: flow.idempotencyKey,
      }),
    onSuccess: useFinish(t('operator.title')),
    onError: flow.fail,
  });
  const { values = emptyCertificate, back } = flow;
  return (
    <ConfirmPage
      title={t('operator.confirm')}
      crumbs={useCrumbs(t('operator.create'))}
      items={useCertificateItems(values)}
      submitLabel={t('ui:create')}
      pending={submit.isPending}
      onSubmit={() => submit.mutate(values)}
      onBack={back}
    />
  );
}

export function CertificationEditConfirmPage() {
  const { t } = useTranslation(['certificates', 'ui']);
  const api = useApi();
  const flow = useFlow<CertificateValues>();
  const { data } = useCertification();
  const submit = useAction({
    mutationFn: async (values: CertificateValues) =>
      api.call(pushRoutes.updateOperatorCertification, { body: await changedCertificateBody(values) }),
    onSuccess: useFinish(t('operator.title')),
    onError: flow.fail,
  });
  const { values = emptyCertificate, back } = flow;
  return (
    <ConfirmPage
      title={t('operator.confirm')}
      crumbs={useCrumbs(t('operator.edit'))}
      items={useCertificateItems(values, data)}
      submitLabel={t('ui:save')}
      pending={submit.isPending}
      onSubmit={() => submit.mutate(values)}
      onBack={back}
    />
  );
}

/** Goes to the completion, and has the certificate asked for again. */
function useFinish(name: string) {
  const queries = useQueryClient();
  const flow = useFlow<CertificateValues>();
  return async () => {
    await flow.finish(name);
    await queries.invalidateQueries({ queryKey: [pushRoutes.getOperatorCertification.id] });
  };
}

export function CertificationCreateCompletePage() {
  const { t } = useTranslation('certificates');
  return <Complete here={t('operator.create')} message={t('operator.created')} />;
}

export function CertificationEditCompletePage() {
  const { t } = useTranslation('certificates');
  return <Complete here={t('operator.edit')} message={t('operator.updated')} />;
}

function Complete({ here, message }: { here: string; message: string }) {
  const { t } = useTranslation('certificates');
  return (
    <CompletePage
      title={t('operator.complete')}
      crumbs={useCrumbs(here)}
      message={message}
      next={
        <>
          <ButtonLink to={certificationPath}>{t('operator.toIt')}</ButtonLink>
          <ButtonLink to={menuPath} variant="outline">
            {t('operator.toMenu')}
          </ButtonLink>
        </>
      }
    />
  );
}
