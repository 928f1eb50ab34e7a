import { pushRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../lib/api.ts';
import { useMay, usePartnerSession } from '../../../lib/session/use-session.ts';
import type { Option } from '../../../ui/form/controls.tsx';

/**
 * What a notification may be sent with: the operator's certificate, and those of the company where its contract has them. The one that
 * a notification has `before` stays, also where the contract has none any more.
 */
export function useCertificationOptions(before: number | null = null): readonly Option[] {
  const { t } = useTranslation('pushNotifications');
  const may = useMay();
  const { partner } = usePartnerSession();
  const { data, isLoading } = useApiQuery(
    pushRoutes.listCertifications,
    { params: { pid: partner.id }, query: { all: true } },
    { enabled: may('listCertifications') },
  );
  const own = data?.certifications.map(({ id, name }) => ({ value: String(id), label: name })) ?? [];
  const options = [{ value: '0', label: t('operators') }, ...own];
  const isKnown = isLoading || options.some(({ value }) => value === String(before ?? 0));
  return isKnown
    ? options
    : [...options, { value: String(before), label: t('certificationBefore', { id: before }) }];
}
