import { isLicenceOver, limits, tenantRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { partnerEditLink } from '../../../components/partner-links.ts';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { PageSpinner } from '../../../ui/feedback/states.tsx';
import { TypedConfirm } from '../../../ui/feedback/typed-confirm.tsx';
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

function Question({ partner, onClose, onDeleted }: DeletePartnerProps) {
  const { t } = useTranslation(['tenantMenu', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const changed = usePartnersChanged();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const { id: pid, name } = partner;

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
    <TypedConfirm
      title={t('deleteTitle')}
      confirmLabel={t('delete')}
      pending={removal.isPending}
      word={name}
      typeLabel={t('typeName', { name })}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <p>{t('deleteText', { name })}</p>
    </TypedConfirm>
  );
}
