import { chakra, Input } from '@chakra-ui/react';
import { isLicenceOver, limits, tenantRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { partnerEditLink } from '../../../components/partner-links.ts';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { PageSpinner } from '../../../ui/feedback/states.tsx';
import type { PartnerDetail } from './partner-rules.ts';
import { usePartnersChanged } from './use-partner.ts';

interface DeletePartnerProps {
  partner: { readonly id: number; readonly name: string };
  onClose: () => void;
  /** Where it leaves the page of the company, it resolves when that is gone. */
  onDeleted: () => void | Promise<void>;
}

/** Asks before a company goes for good, or says why it cannot. */
export function DeletePartner({ partner, ...on }: DeletePartnerProps) {
  const { t } = useTranslation('tenantMenu');
  const { data, error } = useApiQuery(tenantRoutes.getPartner, { params: { pid: partner.id } });
  const { showError } = useErrorModal();
  const { onClose } = on;
  // Somebody else was quicker, or the server is not there.
  useEffect(() => {
    if (!error) return;
    showError(error);
    onClose();
  }, [error]);
  if (error) return null;
  if (!data) {
    return (
      <Dialog open onClose={on.onClose} title={t('deleteTitle')}>
        <PageSpinner />
      </Dialog>
    );
  }
  const end = data.licenseExpiredOn === null ? null : new Date(data.licenseExpiredOn);
  return data.hasData && !isLicenceOver(end, new Date()) ? (
    <Refusal partner={data} onClose={on.onClose} />
  ) : (
    <Question partner={data} {...on} />
  );
}

interface RefusalProps {
  partner: PartnerDetail;
  onClose: () => void;
}

function Refusal({ partner, onClose }: RefusalProps) {
  const { t } = useTranslation(['tenantMenu', 'ui']);
  const { dateTime } = useFormat();
  const { licenseExpiredOn, name } = partner;
  const last =
    licenseExpiredOn === null
      ? undefined
      : new Date(new Date(licenseExpiredOn).getTime() + limits.licenceGracePeriod).toISOString();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('refusedTitle')}
      actions={
        <>
          <Button variant="outline" colorPalette="gray" onClick={onClose}>
            {t('ui:close')}
          </Button>
          <ButtonLink to={partnerEditLink(partner)}>{t('endContract')}</ButtonLink>
        </>
      }
    >
      {t('refused', { name })} {last && t('refusedUntil', { last: dateTime(last) })}
    </Dialog>
  );
}

/** As people see it: without what a keyboard or a copy adds. */
const asRead = (text: string) => text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim();

function Question({ partner, onClose, onDeleted }: DeletePartnerProps) {
  const { t } = useTranslation(['tenantMenu', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const changed = usePartnersChanged();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const fieldId = useId();
  const [typed, setTyped] = useState('');
  const { id: pid, name } = partner;
  const isNamed = asRead(typed) === asRead(name);

  const removal = useAction({
    mutationFn: () => api.call(tenantRoutes.deletePartner, { params: { pid } }),
    async onSuccess() {
      toast({ tone: 'success', message: t('deleted', { name }) });
      await onDeleted();
      queries.removeQueries({ queryKey: [tenantRoutes.getPartner.id, { pid }] });
    },
    onError: showError,
    onSettled() {
      onClose();
      return changed();
    },
  });

  return (
    <ConfirmDialog
      open
      title={t('deleteTitle')}
      confirmLabel={t('delete')}
      pending={removal.isPending}
      disabled={!isNamed}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <p>{t('deleteText', { name })}</p>
      <chakra.form
        mt="4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNamed) removal.mutate();
        }}
      >
        <chakra.label htmlFor={fieldId} display="block" mb="1.5" color="fg" fontWeight="medium">
          {t('typeName', { name })}
        </chakra.label>
        <Input
          id={fieldId}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </chakra.form>
    </ConfirmDialog>
  );
}
