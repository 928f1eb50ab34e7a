import { chakra } from '@chakra-ui/react';
import { calendarRoutes, dateTime, deliveryRoutes, fileRoutes, formatDateTime } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { PreviewedEffect } from '../../../components/effect/previewed-effect.tsx';
import { useChange } from '../../../components/effect/use-change.ts';
import type { PreviewedChange } from '../../../components/effect/use-preview.ts';
import { useTwoPeopleDecide } from '../../../components/effect/use-two-people-decide.ts';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { failureOf, useContractForm } from '../../../lib/contract-form.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { DateTimeField } from '../../../ui/form/fields.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import type { MovableEntry } from './entries.ts';

const schema = z.object({ at: dateTime });
const fieldNames = { updateReservationAt: 'at', deliverReservationAt: 'at' } as const;

/** What is different once a delivery or an update has another time. */
const changedReads = [
  calendarRoutes.getCalendar,
  fileRoutes.listFiles,
  fileRoutes.getFile,
  fileRoutes.getFilesOverview,
  fileRoutes.listUserFilesAhead,
  deliveryRoutes.listVersions,
] as const;

interface MoveDialogProps {
  entry: MovableEntry;
  /** Where it was dropped. */
  at: Date;
  onClose: () => void;
}

/**
 * Asks before an entry is moved, with its effect, and lets the minute be chosen. It is the change of the delivery time or of the
 * reservation, by its own call, whose rules may refuse it; then nothing has moved.
 */
export function MoveDialog({ at, entry, onClose }: MoveDialogProps) {
  const { t } = useTranslation(['calendar', 'effect', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const { dateTimeWithZone } = useFormat();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { fileId, kind, title } = entry;
  const params = { pid: partner.id, id: fileId };
  const file = useApiQuery(fileRoutes.getFile, { params });
  const groups = file.data?.groups ?? [];
  // What nobody gets is changed by one person.
  const waits = useTwoPeopleDecide() && groups.length > 0;
  const form = useContractForm<z.input<typeof schema>>(
    schema,
    { at: formatDateTime(at) },
    { at: t('newTime') },
  );
  const time = form.form.watch('at');
  const isAnother = time !== '' && time !== entry.at;
  const asked: PreviewedChange =
    kind === 'update'
      ? { what: 'reservation', body: { updateReservationAt: time } }
      : { what: 'file', body: { deliverReservationAt: time } };
  const changed = async () => {
    await Promise.all(changedReads.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
    onClose();
  };
  const change = useChange<object>({
    asked: isAnother ? { fileId, change: asked } : undefined,
    apply: async (previewToken) =>
      kind === 'update'
        ? api.call(fileRoutes.reserveUpdate, { params, body: { updateReservationAt: time, previewToken } })
        : api.call(fileRoutes.updateFile, { params, body: { deliverReservationAt: time, previewToken } }),
    async onDone() {
      toast({ tone: 'success', message: t('moved', { title, time: dateTimeWithZone(time) }) });
      await changed();
    },
    onSent: changed,
    async onError(error) {
      form.fail(failureOf(error), fieldNames);
      // It may not be what it was when the calendar was read.
      await queries.invalidateQueries({ queryKey: [calendarRoutes.getCalendar.id] });
    },
  });
  const { isPending, preview } = change;
  const isCounting = isAnother && !preview.effect && !preview.error;
  return (
    <Dialog open persistent={isPending} title={t(`confirmTitle.${kind}`)} width="36rem" onClose={onClose}>
      <chakra.div mx="-5" mb="4">
        <DescriptionList
          items={[
            { label: t('file'), value: title },
            { label: t('at'), value: dateTimeWithZone(entry.at) },
            ...(file.data
              ? [
                  {
                    label: t('groups'),
                    value: groups.map(({ name }) => name).join(t('effect:separator')) || t('noGroups'),
                  },
                ]
              : []),
          ]}
        />
      </chakra.div>
      <Form
        form={form}
        submitLabel={waits ? t('effect:ask') : t('confirm')}
        pending={isPending || isCounting}
        disposable
        onSubmit={() => {
          if (!isAnother) {
            toast({ tone: 'success', message: t('unchanged') });
            onClose();
          } else if (preview.error) form.fail(failureOf(preview.error), fieldNames);
          else change.confirm();
        }}
        cancel={
          <Button size="md" variant="outline" colorPalette="gray" disabled={isPending} onClick={onClose}>
            {t('ui:cancel')}
          </Button>
        }
      >
        <DateTimeField {...form.field('at')} required />
        {isAnother && <PreviewedEffect preview={preview} />}
        {waits && <Notice tone="info">{t('effect:waits')}</Notice>}
      </Form>
    </Dialog>
  );
}
