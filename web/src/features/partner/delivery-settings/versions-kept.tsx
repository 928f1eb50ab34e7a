import { deliveryRoutes, limits, type RouteReply } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useApi } from '../../../lib/api.ts';
import { failureOf, useContractForm } from '../../../lib/contract-form.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { wholeNumber } from '../../../lib/whole-number.ts';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { TextField } from '../../../ui/form/fields.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';

const schema = z.object({ versionsKept: wholeNumber(1, limits.maxVersionsKept) });

interface VersionsKeptProps {
  settings: RouteReply<typeof deliveryRoutes.getDeliverySettings>;
}

/** How many versions of each file keep their bytes. Fewer cost bytes, so that is asked before. */
export function VersionsKept({ settings }: VersionsKeptProps) {
  const { t } = useTranslation(['deliverySettings', 'ui']);
  const { number } = useFormat();
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const [asked, setAsked] = useState<number>();
  const form = useContractForm(
    schema,
    { versionsKept: String(settings.versionsKept) },
    { versionsKept: t('versions.kept') },
  );

  const save = useAction({
    mutationFn: (versionsKept: number) =>
      api.call(deliveryRoutes.updateDeliverySettings, {
        params: { pid: partner.id },
        body: { versionsKept },
      }),
    async onSuccess(_, versionsKept) {
      form.form.reset({ versionsKept: String(versionsKept) });
      const changed = [deliveryRoutes.getDeliverySettings.id, deliveryRoutes.listVersions.id];
      await Promise.all(changed.map((id) => queries.invalidateQueries({ queryKey: [id] })));
      toast({ tone: 'success', message: t('versions.saved', { count: versionsKept }) });
    },
    onError: (error) => form.fail(failureOf(error)),
    onSettled: () => setAsked(undefined),
  });

  return (
    <>
      <Form
        form={form}
        submitLabel={t('ui:save')}
        pending={save.isPending}
        onSubmit={(values) => {
          const versionsKept = Number(values.versionsKept);
          if (versionsKept < settings.versionsKept) setAsked(versionsKept);
          else save.mutate(versionsKept);
        }}
      >
        <FormSection title={t('versions.title')}>
          <TextField
            {...form.field('versionsKept')}
            required
            inputMode="numeric"
            width="6rem"
            help={t('versions.help', { most: number(limits.maxVersionsKept) })}
          />
        </FormSection>
      </Form>
      <ConfirmDialog
        open={asked !== undefined}
        title={t('versions.confirmTitle')}
        confirmLabel={t('versions.confirm')}
        pending={save.isPending}
        onConfirm={() => asked !== undefined && save.mutate(asked)}
        onCancel={() => setAsked(undefined)}
      >
        {t('versions.confirmText', { before: number(settings.versionsKept), count: asked })}
      </ConfirmDialog>
    </>
  );
}
