import { pushRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../lib/api.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import type { Option } from '../../../ui/form/controls.tsx';

/** What a notification may be sent with: the operator's certificate, and those of the company where its contract has them. */
export function useCertificationOptions(): readonly Option[] {
  const { t } = useTranslation('pushNotifications');
  const may = useMay();
  const { partner } = usePartnerSession();
  const { data } = useApiQuery(
    pushRoutes.listCertifications,
    { params: { pid: partner.id }, query: { all: true } },
    { enabled: may('listCertifications') },
  );
  const own = data?.certifications.map(({ id, name }) => ({ value: String(id), label: name })) ?? [];
  return [{ value: '0', label: t('operators') }, ...own];
}
