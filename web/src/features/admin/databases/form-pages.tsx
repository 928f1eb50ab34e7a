import { chakra } from '@chakra-ui/react';
import { databaseRoutes } from '@portal/contracts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { z } from 'zod';
import { DatabaseKey } from '../../../components/database-key.tsx';
import { databaseStatusNames } from '../../../components/database-status.ts';
import { partnerChoices, usePartnerName } from '../../../components/partner-choices.ts';
import { tenantCollectionsLink } from '../../../components/partner-links.ts';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { useIsFresh } from '../../../components/use-is-fresh.ts';
import { useApi } from '../../../lib/api.ts';
import { changedFields } from '../../../lib/changed-fields.ts';
import { idOf } from '../../../lib/edit-link.ts';
import { useFormat } from '../../../lib/format.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow, useFlowForm } from '../../../ui/flow/flow.tsx';
import { ComboboxField } from '../../../ui/form/combobox-field.tsx';
import { DateTimeField, RadioField } from '../../../ui/form/fields.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';
import { CompletePage } from '../../../ui/page/complete-page.tsx';
import { changedItem, DescriptionList } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import {
  type DatabaseValues,
  databaseCreateFlow,
  databaseEditLink,
  databaseListPath,
} from './database-flows.ts';
import { DatabaseUse } from './database-parts.tsx';
import { DeleteDatabase } from './delete-database.tsx';
import {
  type Database,
  useDatabaseCrumbs,
  useDatabaseOfAddress,
  useDatabasesChanged,
} from './use-databases.ts';

const day = 24 * 3_600_000;
/** What a trial mostly lasts. */
const trialDays = 30;

const formSchema: z.ZodType<unknown, DatabaseValues> = z.object({
  partnerId: z.number().min(1, { error: 'required' }),
  contractStatus: z.literal([0, 1, 2]),
  expireDate: z.string().min(1, { error: 'required' }),
});

const empty: DatabaseValues = { partnerId: 0, contractStatus: 1, expireDate: '' };
const valuesOf = ({ contractStatus, expireDate, partnerId }: Database): DatabaseValues => ({
  partnerId,
  contractStatus,
  expireDate,
});

interface DatabaseFormProps {
  initial: DatabaseValues;
  /** The one that is edited; a new one without. */
  database?: Database;
}

function DatabaseForm({ database, initial }: DatabaseFormProps) {
  const { t } = useTranslation(['databases', 'documents', 'ui']);
  const form = useFlowForm<DatabaseValues>(formSchema, initial, {
    partnerId: t('partner'),
    contractStatus: t('documents:contract'),
    expireDate: t('documents:expireDate'),
  });
  const statuses = database ? ([1, 2, 0] as const) : ([1, 2] as const);
  return (
    <Form
      form={form}
      submitLabel={t('ui:toConfirm')}
      onSubmit={form.flow.confirm}
      cancel={
        <ButtonLink to={databaseListPath} size="md" variant="outline" colorPalette="gray">
          {t('ui:cancel')}
        </ButtonLink>
      }
    >
      <FormSection>
        {!database && (
          <ComboboxField
            {...form.field('partnerId')}
            required
            help={t('partnerHelp')}
            source={partnerChoices}
            none={0}
            noneLabel={t('choosePartner')}
          />
        )}
        <RadioField
          {...form.field('contractStatus')}
          required
          numeric
          help={t('statusHelp')}
          options={statuses.map((status) => ({
            value: String(status),
            label: t(`documents:statuses.${databaseStatusNames[status]}`),
          }))}
        />
        <DateTimeField {...form.field('expireDate')} required help={t('expireHelp')} />
      </FormSection>
    </Form>
  );
}

/** What the calls take of what was entered. */
const contractOf = ({ contractStatus, expireDate }: DatabaseValues) => ({ contractStatus, expireDate });

function useItems(values: DatabaseValues, before?: DatabaseValues, database?: Database) {
  const { t } = useTranslation(['databases', 'documents']);
  const { dateTimeWithZone } = useFormat();
  const asked = usePartnerName(database ? 0 : values.partnerId);
  const { contractStatus, expireDate } = values;
  return [
    { label: t('partner'), value: database?.partnerName ?? asked ?? '' },
    changedItem(t('documents:contract'), contractStatus, before?.contractStatus, (status) =>
      t(`documents:statuses.${databaseStatusNames[status]}`),
    ),
    changedItem(t('documents:expireDate'), expireDate, before?.expireDate, dateTimeWithZone),
  ];
}

export function DatabaseCreatePage() {
  const { t } = useTranslation('databases');
  const [params] = useSearchParams();
  const [expireDate] = useState(() => {
    const end = new Date(Date.now() + trialDays * day);
    end.setSeconds(0, 0);
    return `${end.toISOString().slice(0, 19)}Z`;
  });
  return (
    <>
      <PageHeader title={t('create')} crumbs={useDatabaseCrumbs(t('create'))} />
      <DatabaseForm initial={{ ...empty, partnerId: idOf(params), expireDate }} />
    </>
  );
}

export function DatabaseCreateConfirmPage() {
  const { t } = useTranslation(['databases', 'ui']);
  const api = useApi();
  const changed = useDatabasesChanged();
  const flow = useFlow<DatabaseValues>();
  const submit = useAction({
    mutationFn: ({ contractStatus, expireDate, partnerId: pid }: DatabaseValues) =>
      api.call(databaseRoutes.createDatabase, {
        params: { pid },
        body: { contractStatus: contractStatus === 2 ? 2 : 1, expireDate },
        idempotencyKey: flow.idempotencyKey,
      }),
    async onSuccess({ partnerId, partnerName }) {
      await changed();
      await flow.finish(partnerName, partnerId);
    },
    onError: flow.fail,
  });
  const { values } = flow;
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useDatabaseCrumbs(t('create'))}
      items={useItems(values ?? empty)}
      submitLabel={t('ui:create')}
      pending={submit.isPending}
      onSubmit={() => values && submit.mutate(values)}
      onBack={flow.back}
    />
  );
}

export function DatabaseCreateCompletePage() {
  const { t } = useTranslation('databases');
  const { result = '', resultId } = useFlow<DatabaseValues>();
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useDatabaseCrumbs(t('create'))}
      message={t('created', { name: result })}
      notes={[t('createdNote')]}
      next={
        <>
          <ButtonLink to={databaseListPath}>{t('toList')}</ButtonLink>
          {resultId !== undefined && (
            <ButtonLink to={databaseEditLink(resultId, result)} variant="outline">
              {t('toDatabase')}
            </ButtonLink>
          )}
          <ButtonLink to={databaseCreateFlow.paths.form} variant="outline">
            {t('createAnother')}
          </ButtonLink>
        </>
      }
    />
  );
}

export function DatabaseEditPage() {
  const { t } = useTranslation('databases');
  const database = useDatabaseOfAddress();
  const { data } = database;
  const isFresh = useIsFresh(database);
  const title = data ? t('editOf', { name: data.partnerName }) : t('edit');
  return (
    <>
      <PageHeader title={title} crumbs={useDatabaseCrumbs(t('edit'))} />
      {data && isFresh ? (
        <>
          <DatabaseForm initial={valuesOf(data)} database={data} />
          <Facts database={data} />
        </>
      ) : (
        <RecordLoader
          queries={[database]}
          rows={6}
          action={<ButtonLink to={databaseListPath}>{t('toList')}</ButtonLink>}
        />
      )}
    </>
  );
}

/** What there is to know of a database beside its contract, and what one does with it. */
function Facts({ database }: { database: Database }) {
  const { t } = useTranslation(['databases', 'documents']);
  const { dateTimeWithZone, number } = useFormat();
  const api = useApi();
  const changed = useDatabasesChanged();
  const navigate = useNavigate();
  const [isDeleting, setIsDeleting] = useState(false);
  const { apiKey, db, documentCount, partnerId: pid, partnerName: name, startDate } = database;
  return (
    <chakra.div maxW="form" mt="8">
      <Section
        title={t('documents:use')}
        action={
          <ButtonLink size="xs" variant="outline" to={tenantCollectionsLink({ id: pid, name })}>
            {t('toDocuments')}
          </ButtonLink>
        }
      >
        <Panel>
          <DescriptionList
            items={[
              { label: t('db'), value: <code>{db}</code> },
              { label: t('documents:usage'), value: <DatabaseUse {...database} /> },
              { label: t('documents:documents'), value: number(documentCount) },
              { label: t('documents:startDate'), value: dateTimeWithZone(startDate) },
            ]}
          />
        </Panel>
      </Section>
      {apiKey !== null && (
        <Section title={t('documents:key.title')} lead={t('documents:key.lead')}>
          <DatabaseKey
            apiKey={apiKey}
            renew={async () => {
              await api.call(databaseRoutes.renewDatabaseKey, { params: { pid } });
              await changed();
            }}
          />
        </Section>
      )}
      <Section title={t('deleteThis')} lead={t('deleteThisLead')}>
        <Button variant="outline" colorPalette="danger" icon={<Trash2 />} onClick={() => setIsDeleting(true)}>
          {t('delete')}
        </Button>
      </Section>
      {isDeleting && (
        <DeleteDatabase
          database={database}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => void navigate(databaseListPath)}
        />
      )}
    </chakra.div>
  );
}

export function DatabaseEditConfirmPage() {
  const { t } = useTranslation(['databases', 'ui']);
  const api = useApi();
  const changed = useDatabasesChanged();
  const { data } = useDatabaseOfAddress();
  const flow = useFlow<DatabaseValues>();
  const { before, values } = flow;
  const submit = useAction({
    mutationFn: (entered: DatabaseValues) =>
      api.call(databaseRoutes.updateDatabase, {
        params: { pid: entered.partnerId },
        body: changedFields(contractOf(entered), before && contractOf(before)),
      }),
    async onSuccess({ partnerId, partnerName }) {
      // First, as the form of a database that has changed would be another one.
      await flow.finish(partnerName, partnerId);
      await changed();
    },
    onError: flow.fail,
  });
  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useDatabaseCrumbs(t('edit'))}
      items={useItems(values ?? empty, before, data)}
      submitLabel={t('ui:save')}
      pending={submit.isPending || data === undefined}
      onSubmit={() => values && submit.mutate(values)}
      onBack={flow.back}
    />
  );
}

export function DatabaseEditCompletePage() {
  const { t } = useTranslation('databases');
  const { result = '' } = useFlow<DatabaseValues>();
  return (
    <CompletePage
      title={t('complete')}
      crumbs={useDatabaseCrumbs(t('edit'))}
      message={t('updated', { name: result })}
      next={<ButtonLink to={databaseListPath}>{t('toList')}</ButtonLink>}
    />
  );
}
