import { deliveryRoutes, limits, previewRoutes, text } from '@portal/contracts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { hasSameEffect } from '../../../components/effect/effect.tsx';
import { PreviewedEffect } from '../../../components/effect/previewed-effect.tsx';
import { type PreviewedChange, usePreview } from '../../../components/effect/use-preview.ts';
import { approvalOf, useSentForApproval } from '../../../components/effect/use-sent-for-approval.ts';
import { useTwoPeopleDecide } from '../../../components/effect/use-two-people-decide.ts';
import { type FileDetail, isUpdatePending } from '../../../components/files/file.ts';
import {
  initialPlan,
  type PlanValues,
  planField,
  rolloutBody,
} from '../../../components/rollout/plan-values.ts';
import { RolloutField } from '../../../components/rollout/rollout-field.tsx';
import { useApi } from '../../../lib/api.ts';
import { failureOf, useContractForm } from '../../../lib/contract-form.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { DateTimeField, RadioField, TextareaField } from '../../../ui/form/fields.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { reservationFault } from './reservation-rules.ts';
import { useFilesChanged } from './use-files-changed.ts';

interface PutBackProps {
  file: FileDetail;
  /** Undefined closes the dialog. */
  version: { readonly version: number } | undefined;
  onClose: () => void;
}

/** Tells whom it reaches, and makes the bytes of a former version the current ones again, now or at a time. */
export function PutBack({ file, onClose, version }: PutBackProps) {
  const { t } = useTranslation('files');
  if (!version) return null;
  return (
    <Dialog open onClose={onClose} title={t('versions.confirmTitle', version)} width="form">
      <PutBackForm file={file} version={version.version} onClose={onClose} />
    </Dialog>
  );
}

const moments = ['now', 'later'] as const;

interface PutBackValues {
  when: (typeof moments)[number];
  /** UTC text, empty for none. */
  updateReservationAt: string;
  versionNote: string;
  rollout: PlanValues;
}

const initial: PutBackValues = {
  when: 'now',
  updateReservationAt: '',
  versionNote: '',
  rollout: initialPlan('atOnce'),
};

/** A time alone is asked for what a reservation's is. */
function schemaFor(file: FileDetail): z.ZodType<unknown, PutBackValues> {
  const deliverAt = file.deliverReservationAt ?? '';
  return z
    .object({
      when: z.enum(moments),
      updateReservationAt: z.string(),
      versionNote: text(limits.noteMaxLength),
      rollout: planField,
    })
    .superRefine(({ updateReservationAt: updateAt, when }, context) => {
      if (when === 'now') return;
      const fault = reservationFault(
        { deliverAt, updateAt },
        {
          before: { deliverAt, updateAt: '' },
          updatePending: false,
          withUpdateFile: true,
          now: new Date(),
        },
      );
      if (fault) context.addIssue({ code: 'custom', path: ['updateReservationAt'], message: fault });
    });
}

/** What the server is asked for. */
const bodyOf = ({ rollout, updateReservationAt, versionNote, when }: PutBackValues) => ({
  ...(when === 'later' && { updateReservationAt }),
  ...(versionNote !== '' && { versionNote }),
  ...rolloutBody(rollout),
});

const changeOf = (version: number, values: PutBackValues): PreviewedChange => ({
  what: 'restore',
  body: { version, ...bodyOf(values) },
});

interface PutBackFormProps extends Pick<PutBackProps, 'file' | 'onClose'> {
  version: number;
}

function PutBackForm({ file, onClose, version }: PutBackFormProps) {
  const { t } = useTranslation(['files', 'effect', 'rollout', 'ui']);
  const api = useApi();
  const tellSent = useSentForApproval();
  const waits = useTwoPeopleDecide() && file.groups.length > 0;
  const format = useFormat();
  const filesChanged = useFilesChanged();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const schema = useMemo(() => schemaFor(file), [file]);
  const form = useContractForm<PutBackValues>(schema, initial, {
    when: t('versions.when'),
    updateReservationAt: t('versions.at'),
    versionNote: t('versions.note'),
    rollout: t('rollout:how'),
  });
  const values = form.form.watch();
  const { when } = values;
  // What somebody writes about it has no effect.
  const told = { ...values, versionNote: '' };
  const asked = schema.safeParse(told).success ? changeOf(version, told) : undefined;
  const preview = usePreview(asked && { fileId: file.id, change: asked });
  const params = { pid: partner.id, id: file.id };

  /** Of the change with its note, where it still has the effect that was told. */
  async function tokenOf(given: PutBackValues): Promise<string | undefined> {
    const { effect } = preview;
    if (!effect || given.versionNote === '') return effect?.previewToken;
    const again = await api.call(previewRoutes.previewChange, { params, body: changeOf(version, given) });
    return hasSameEffect(again, effect) ? again.previewToken : effect.previewToken;
  }

  const restoration = useAction({
    mutationFn: async (given: PutBackValues) =>
      api.call(deliveryRoutes.restoreVersion, {
        params: { ...params, version },
        body: { ...bodyOf(given), previewToken: await tokenOf(given) },
      }),
    async onSuccess(reply, { updateReservationAt, when: chosen }) {
      const approvalId = approvalOf(reply);
      if (approvalId !== undefined) tellSent([approvalId]);
      else {
        const number = 'version' in reply ? reply.version : version;
        const message =
          chosen === 'now'
            ? t('versions.done', { from: version, version: number })
            : t('versions.reserved', { from: version, time: format.dateTimeWithZone(updateReservationAt) });
        toast({ tone: 'success', message });
      }
      await filesChanged();
      onClose();
    },
    async onError(error) {
      if (preview.isOutdatedBy(error)) return;
      // What was typed is wrong; or it is not what it was when this page was read.
      if (error.fields.length > 0) form.fail(failureOf(error));
      else showError(error);
      await filesChanged();
      if (error.fields.length === 0) onClose();
    },
  });
  return (
    <Form
      form={form}
      submitLabel={waits ? t('effect:ask') : t('versions.putBack')}
      pending={restoration.isPending}
      disabled={preview.effect === undefined}
      onSubmit={(values) => restoration.mutate(values)}
      disposable
      cancel={
        <Button
          size="md"
          variant="outline"
          colorPalette="gray"
          disabled={restoration.isPending}
          onClick={onClose}
        >
          {t('ui:cancel')}
        </Button>
      }
    >
      <p>{t('versions.confirmText', { name: file.name, version })}</p>
      <RadioField
        {...form.field('when')}
        required
        options={moments.map((moment) => ({ value: moment, label: t(`versions.moments.${moment}`) }))}
      />
      {when === 'later' && (
        <>
          <DateTimeField {...form.field('updateReservationAt')} required help={t('updateHelp')} />
          {isUpdatePending(file) && (
            <Notice tone="warning">
              {t('versions.replacesReserved', { time: format.dateTimeWithZone(file.updateReservationAt) })}
            </Notice>
          )}
        </>
      )}
      {when === 'now' && isUpdatePending(file) && <Notice tone="info">{t('versions.keepsReserved')}</Notice>}
      {file.groups.length > 0 && (
        <RolloutField {...form.field('rollout')} offered={['atOnce', 'stages']} isChecked />
      )}
      <TextareaField {...form.field('versionNote')} rows={2} help={t('versions.noteHelp')} />
      {asked && <PreviewedEffect preview={preview} />}
      {waits && <Notice tone="info">{t('effect:waits')}</Notice>}
    </Form>
  );
}
