import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePickableGroups } from '../../../components/groups/use-pickable-groups.ts';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmPage } from '../../../ui/flow/confirm-page.tsx';
import { useFlow } from '../../../ui/flow/flow.tsx';
import type { DescriptionItem } from '../../../ui/page/description-list.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { AudienceCount, groupIdsOf } from './assign/audience-choice.tsx';
import { useNoticeNames } from './assign/notice-choice.tsx';
import { FileCreateForm } from './create-form.tsx';
import { type FileCreateValues, fileCreateFlow, fileListPath } from './file-flows.ts';
import { publishFiles } from './publish-files.ts';
import { PublishedFiles } from './published-files.tsx';
import { useBeginUpload } from './upload/use-begin-upload.ts';
import { useFileCrumbs } from './use-file-crumbs.ts';

export function FileCreatePage() {
  const { t } = useTranslation('files');
  return (
    <>
      <PageHeader title={t('create')} crumbs={useFileCrumbs(t('create'))} />
      <FileCreateForm />
    </>
  );
}

/** Of a reservation that was made in the form, while the confirmation stood there. */
const isPast = (time = '') => time !== '' && new Date(time) <= new Date();

function useFilesItems({ files, names }: FileCreateValues): DescriptionItem[] {
  const { t } = useTranslation('files');
  const format = useFormat();
  const [file] = files;
  if (files.length === 1 && file) {
    return [
      { label: t('file'), value: file.name },
      { label: t('size'), value: format.fileSize(file.size) },
      { label: t('name'), value: names[0] },
    ];
  }
  const list = files.map(({ name, size }, index) => (
    <li key={name}>
      {names[index]}: {t('newFile', { name, size: format.fileSize(size) })}
    </li>
  ));
  return [{ label: t('filesToPublish', { count: files.length }), value: <ul>{list}</ul> }];
}

function useAudienceItems({ groupIds, to, ...notices }: FileCreateValues): DescriptionItem[] {
  const { t } = useTranslation('files');
  const namesOfNotices = useNoticeNames();
  const groups = usePickableGroups();
  const ids = groupIdsOf(to, groupIds);
  if (ids.length === 0) return [{ label: t('audience.title'), value: t('assignPage.kinds.nobody') }];
  const names =
    to === 'everyone'
      ? [t('everyone')]
      : (groups.data ?? []).filter(({ id }) => ids.includes(id)).map(({ title }) => title);
  return [
    {
      label: t('audience.title'),
      value: (
        <>
          {names.join(t('listSeparator'))}
          <AudienceCount groupIds={ids} />
        </>
      ),
    },
    {
      label: t('assignPage.notify'),
      value: namesOfNotices(notices),
    },
  ];
}

export function FileCreateConfirmPage() {
  const flow = useFlow<FileCreateValues>();
  // While the completion opens there is nothing to confirm any more.
  const [values] = useState(flow.values);
  return values ? <Confirmation values={values} /> : null;
}

function Confirmation({ values }: { values: FileCreateValues }) {
  const { t } = useTranslation(['files', 'ui']);
  const format = useFormat();
  const api = useApi();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const begin = useBeginUpload();
  const flow = useFlow<FileCreateValues>();
  const { deliverReservationAt, note, to } = values;

  const submit = useAction({
    mutationFn: () =>
      publishFiles(api, { pid: partner.id, idempotencyKey: flow.idempotencyKey, begin }, values),
    async onSuccess({ created, refused }) {
      if (!refused) {
        const ids = created.map(({ id }) => String(id));
        await flow.finish(created.map(({ name }) => name).join(t('listSeparator')), created[0]?.id, {
          notes: ids,
        });
        return;
      }
      if (created.length > 0) {
        flow.draft(refused.values, true);
        toast({ tone: 'warning', message: t('partlyPublished', { count: created.length }) });
      }
      await flow.fail(refused.error);
    },
    onError: flow.fail,
  });

  return (
    <ConfirmPage
      title={t('confirm')}
      crumbs={useFileCrumbs(t('create'))}
      items={[
        ...useFilesItems(values),
        { label: t('note'), value: note || t('ui:none') },
        ...useAudienceItems(values),
        {
          label: t('deliverReservationAt'),
          value:
            deliverReservationAt === '' && to !== 'nobody'
              ? t('deliverAtOnce')
              : format.dateTimeWithZone(deliverReservationAt || null),
        },
      ]}
      warning={isPast(deliverReservationAt) && t('pastDelivery')}
      submitLabel={t('submitCreate')}
      pending={submit.isPending}
      onSubmit={() => submit.mutate()}
      onBack={flow.back}
    />
  );
}

export function FileCreateCompletePage() {
  const { t } = useTranslation('files');
  const { notes } = useFlow<FileCreateValues>();
  return (
    <PublishedFiles
      ids={notes.map(Number)}
      next={
        <>
          <ButtonLink to={fileListPath} variant="outline">
            {t('toList')}
          </ButtonLink>
          <ButtonLink to={fileCreateFlow.paths.form} variant="outline">
            {t('createAnother')}
          </ButtonLink>
        </>
      }
    />
  );
}
