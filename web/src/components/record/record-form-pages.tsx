import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useApi } from '../../lib/api.ts';
import { changedFields } from '../../lib/changed-fields.ts';
import { idOf } from '../../lib/edit-link.ts';
import { useAction } from '../../lib/use-action.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ConfirmPage } from '../../ui/flow/confirm-page.tsx';
import { type FlowForm, useFlow } from '../../ui/flow/flow.tsx';
import { Form, FormSection } from '../../ui/form/form.tsx';
import { CompletePage } from '../../ui/page/complete-page.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { useIsFresh } from '../use-is-fresh.ts';
import type { AnyRecord, Named } from './record.ts';
import { LoadingRecord } from './record-detail-page.tsx';
import type { RecordPaths } from './record-paths.ts';
import {
  useMayCall,
  useRecord,
  useRecordChanged,
  useRecordCrumbs,
  useRecordLinks,
  useRecordText,
} from './use-record.ts';

interface RecordFormProps<V extends FieldValues> {
  form: FlowForm<V>;
  paths: RecordPaths;
  /** What is asked of the server before the confirmation; the confirmation is next unless told. */
  onSubmit?: (values: V) => void;
  pending?: boolean;
  children: ReactNode;
  /** Further parts below the first. */
  more?: ReactNode;
}

/** The form of a record, around its fields. */
export function RecordForm<V extends FieldValues>({
  form,
  paths,
  onSubmit = form.flow.confirm,
  pending = false,
  children,
  more,
}: RecordFormProps<V>) {
  const { t } = useTranslation('ui');
  const { toList } = useRecordLinks({ paths });
  return (
    <Form
      form={form}
      submitLabel={t('toConfirm')}
      pending={pending}
      onSubmit={onSubmit}
      cancel={
        <ButtonLink to={toList} size="md" variant="outline" colorPalette="gray">
          {t('cancel')}
        </ButtonLink>
      }
    >
      <FormSection>{children}</FormSection>
      {more}
    </Form>
  );
}

export function RecordCreatePage({ record }: { record: AnyRecord }) {
  const text = useRecordText(record);
  const { empty, Form: Fields } = record.form;
  return (
    <>
      <PageHeader title={text('create')} crumbs={useRecordCrumbs(record, text('create'))} />
      <Fields initial={empty} />
    </>
  );
}

export function RecordEditPage({ record }: { record: AnyRecord }) {
  const text = useRecordText(record);
  const { valuesOf, Form: Fields } = record.form;
  const query = useRecord(record);
  const { data } = query;
  const isFresh = useIsFresh(query);
  return (
    <>
      <PageHeader
        title={data ? text('editOf', { name: data.name }) : text('edit')}
        crumbs={useRecordCrumbs(record, text('edit'), data)}
      />
      {data && isFresh ? (
        <Fields initial={valuesOf(data)} record={data} />
      ) : (
        <LoadingRecord record={record} query={query} />
      )}
    </>
  );
}

const nameIn = ({ nameOf }: AnyRecord['form'], values: FieldValues) =>
  nameOf ? nameOf(values) : String(values.name);

const nothingFollows = () => () => Promise.resolve();

export function RecordCreateConfirmPage({ record }: { record: AnyRecord }) {
  const { calls, form, useScope } = record;
  const { useSaved = nothingFollows } = form;
  const { t } = useTranslation('ui');
  const text = useRecordText(record);
  const api = useApi();
  const scope = useScope();
  const changed = useRecordChanged(record);
  const flow = useFlow<FieldValues>();
  const saved = useSaved();

  const submit = useAction({
    mutationFn: async (values: FieldValues) =>
      // `defineRecord` takes only a call that answers the new id.
      api.call(calls.create, {
        params: scope,
        body: await form.newBody(values),
        idempotencyKey: flow.idempotencyKey,
      }) as Promise<{ id: number }>,
    async onSuccess(reply, values) {
      const { id } = reply;
      await saved({ id, reply, values });
      await changed();
      await flow.finish(nameIn(form, values), id, { notes: form.notesOf?.(values) ?? [] });
    },
    onError: flow.fail,
  });

  return (
    <Confirmation
      record={record}
      here={text('create')}
      submitLabel={t('create')}
      pending={submit.isPending}
      onSubmit={(values) => submit.mutate(values)}
    />
  );
}

export function RecordEditConfirmPage({ record }: { record: AnyRecord }) {
  const { calls, form, idParam, useScope } = record;
  const { useSaved = nothingFollows } = form;
  const { t } = useTranslation('ui');
  const text = useRecordText(record);
  const api = useApi();
  const scope = useScope();
  const changed = useRecordChanged(record);
  const [params] = useSearchParams();
  const { data } = useRecord(record);
  const flow = useFlow<FieldValues>();
  const saved = useSaved();

  const submit = useAction({
    mutationFn: async (values: FieldValues) =>
      api.call(calls.update, {
        params: { ...scope, [idParam]: idOf(params) },
        body: changedFields(
          await form.editedBody(values),
          flow.before && (await form.editedBody(flow.before)),
        ),
      }),
    async onSuccess(reply, values) {
      await saved({ id: idOf(params), reply, values });
      // First, as the form of a record that has changed would be another one.
      await flow.finish(nameIn(form, values));
      await changed();
    },
    onError: flow.fail,
  });

  return (
    <Confirmation
      record={record}
      here={text('edit')}
      about={data}
      submitLabel={t('save')}
      pending={submit.isPending}
      onSubmit={(values) => submit.mutate(values)}
    />
  );
}

interface ConfirmationProps {
  record: AnyRecord;
  here: string;
  /** The record that is edited. */
  about?: Named | undefined;
  submitLabel: string;
  pending: boolean;
  onSubmit: (values: FieldValues) => void;
}

function Confirmation({ record, here, about, onSubmit, ...button }: ConfirmationProps) {
  const text = useRecordText(record);
  const { before, values, back } = useFlow<FieldValues>();
  const items = record.form.useItems(values ?? record.form.empty, about && before, about);
  return (
    <ConfirmPage
      title={text('confirm')}
      crumbs={useRecordCrumbs(record, here, about)}
      items={values ? items : []}
      onSubmit={() => values && onSubmit(values)}
      onBack={back}
      {...button}
    />
  );
}

const noNotes = () => (note: string) => note;

export function RecordCreateCompletePage({ record }: { record: AnyRecord }) {
  const { detail, form } = record;
  const { Next, useNote = noNotes } = form;
  const text = useRecordText(record);
  const may = useMayCall();
  const noteOf = useNote();
  const { toCreate, toDetail, toEdit, toList } = useRecordLinks(record);
  const { notes, result, resultId } = useFlow<FieldValues>();
  return (
    <CompletePage
      title={text('complete')}
      crumbs={useRecordCrumbs(record, text('create'))}
      message={text('created', { name: result })}
      notes={notes.map(noteOf)}
      next={
        <>
          <ButtonLink to={toList}>{text('toList')}</ButtonLink>
          {resultId !== undefined && (
            <>
              {Next && <Next id={resultId} name={result ?? ''} />}
              {(detail ?? may(record.calls.update)) && (
                <ButtonLink
                  to={(detail ? toDetail : toEdit)({ id: resultId, name: result ?? '' })}
                  variant="outline"
                >
                  {text('toRecord')}
                </ButtonLink>
              )}
            </>
          )}
          <ButtonLink to={toCreate} variant="outline">
            {text('createAnother')}
          </ButtonLink>
        </>
      }
    />
  );
}

export function RecordEditCompletePage({ record }: { record: AnyRecord }) {
  const text = useRecordText(record);
  const { result } = useFlow<FieldValues>();
  const { toList } = useRecordLinks(record);
  return (
    <CompletePage
      title={text('complete')}
      crumbs={useRecordCrumbs(record, text('edit'))}
      message={text('updated', { name: result })}
      next={<ButtonLink to={toList}>{text('toList')}</ButtonLink>}
    />
  );
}
