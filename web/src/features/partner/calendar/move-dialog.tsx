import { chakra } from '@chakra-ui/react';
import { calendarRoutes, dateTime, deliveryRoutes, fileRoutes, formatDateTime } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { failureOf, useContractForm } from '../../../lib/contract-form.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { DateTimeField } from '../../../ui/form/fields.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import type { MovableEntry } from './entries.ts';

const schema = z.object({ at: dateTime });

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
 * Asks before an entry is moved, and lets the minute be chosen. It is the change of the delivery time or of the reservation, by
 * its own call, whose rules may refuse it; then nothing has moved.
 */
export function MoveDialog({ at, entry, onClose }: MoveDialogProps) {
  const { t } = useTranslation(['calendar', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const { dateTimeWithZone } = useFormat();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { fileId, kind, title } = entry;
  const params = { pid: partner.id, id: fileId };
  const file = useApiQuery(fileRoutes.getFile, { params });
  const form = useContractForm<z.input<typeof schema>>(
    schema,
    { at: formatDateTime(at) },
    { at: t('newTime') },
  );
  const moving = useAction({
    mutationFn: ({ at: time }: z.input<typeof schema>): Promise<object> =>
      kind === 'update'
        ? api.call(fileRoutes.reserveUpdate, { params, body: { updateReservationAt: time } })
        : api.call(fileRoutes.updateFile, { params, body: { deliverReservationAt: time } }),
    async onSuccess(reply, { at: time }) {
      // Where two people decide it is a request, and nothing has moved yet.
      const waits = 'approvalId' in reply;
      const words = { title, time: dateTimeWithZone(time) };
      toast(
        waits
          ? { tone: 'warning', message: t('sent', words) }
          : { tone: 'success', message: t('moved', words) },
      );
      await Promise.all(changedReads.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
      onClose();
    },
    async onError(error) {
      form.fail(failureOf(error), { updateReservationAt: 'at', deliverReservationAt: 'at' });
      // It may not be what it was when the calendar was read.
      await queries.invalidateQueries({ queryKey: [calendarRoutes.getCalendar.id] });
    },
  });
  return (
    <Dialog
      open
      persistent={moving.isPending}
      title={t(`confirmTitle.${kind}`)}
      width="34rem"
      onClose={onClose}
    >
      <Form
        form={form}
        submitLabel={t('confirm')}
        pending={moving.isPending}
        disposable
        onSubmit={(values) => {
          if (values.at === entry.at) {
            toast({ tone: 'success', message: t('unchanged') });
            onClose();
          } else moving.mutate(values);
        }}
        cancel={
          <Button
            size="md"
            variant="outline"
            colorPalette="gray"
            disabled={moving.isPending}
            onClick={onClose}
          >
            {t('ui:cancel')}
          </Button>
        }
      >
        <chakra.div mx="-5">
          <DescriptionList
            items={[
              { label: t('file'), value: title },
              { label: t('at'), value: dateTimeWithZone(entry.at) },
              ...(file.data
                ? [
                    {
                      label: t('groups'),
                      value: file.data.groups.map(({ name }) => name).join('、') || t('noGroups'),
                    },
                  ]
                : []),
            ]}
          />
        </chakra.div>
        <DateTimeField {...form.field('at')} required />
      </Form>
    </Dialog>
  );
}
