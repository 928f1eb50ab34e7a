import { deliveryRoutes, limits, text } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import {
  initialPlan,
  type PlanValues,
  planField,
  rolloutBody,
} from '../../../components/rollout/plan-values.ts';
import { RolloutField } from '../../../components/rollout/rollout-field.tsx';
import { useApi } from '../../../lib/api.ts';
import { failureOf, useContractForm } from '../../../lib/contract-form.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { TextareaField } from '../../../ui/form/fields.tsx';
import { Form } from '../../../ui/form/form.tsx';
import type { Application } from './application-rules.ts';
import { useApplicationChanged } from './use-application-changed.ts';

interface PutBackApplicationProps {
  application: Application;
  /** Undefined closes the dialog. */
  version: number | undefined;
  onClose: () => void;
}

/** Makes the bytes of a former version of an application the current ones again, at once or in stages. */
export function PutBackApplication({ application, onClose, version }: PutBackApplicationProps) {
  const { t } = useTranslation('files');
  if (version === undefined) return null;
  return (
    <Dialog open onClose={onClose} title={t('versions.confirmTitle', { version })} width="form">
      <PutBackForm application={application} version={version} onClose={onClose} />
    </Dialog>
  );
}

interface PutBackValues {
  rollout: PlanValues;
  versionNote: string;
}

const initial: PutBackValues = { rollout: initialPlan('atOnce'), versionNote: '' };
const schema = z.object({ rollout: planField, versionNote: text(limits.noteMaxLength) });

function PutBackForm({
  application: { id, name },
  onClose,
  version,
}: PutBackApplicationProps & { version: number }) {
  const { t } = useTranslation(['files', 'rollout', 'ui']);
  const api = useApi();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const changed = useApplicationChanged();
  const form = useContractForm<PutBackValues>(schema, initial, {
    rollout: t('rollout:how'),
    versionNote: t('versions.note'),
  });
  const restoration = useAction({
    mutationFn: async ({ rollout, versionNote }: PutBackValues) =>
      api.call(deliveryRoutes.restoreApplicationVersion, {
        params: { id, version },
        body: { ...(versionNote !== '' && { versionNote }), ...rolloutBody(rollout) },
      }),
    async onSuccess(reply) {
      toast({ tone: 'success', message: t('versions.done', { from: version, version: reply.version }) });
      await changed();
      onClose();
    },
    async onError(error) {
      if (error.fields.length > 0) {
        form.fail(failureOf(error));
        return;
      }
      // It is not what it was when this page was read.
      showError(error);
      await changed();
      onClose();
    },
  });
  return (
    <Form
      form={form}
      submitLabel={t('versions.putBack')}
      pending={restoration.isPending}
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
      <p>{t('versions.confirmText', { name, version })}</p>
      <RolloutField {...form.field('rollout')} offered={['atOnce', 'stages']} hasPilots={false} isChecked />
      <TextareaField {...form.field('versionNote')} rows={2} help={t('versions.noteHelp')} />
    </Form>
  );
}
