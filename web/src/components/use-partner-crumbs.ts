import { tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../lib/api.ts';
import type { Crumb } from '../ui/page/page-header.tsx';
import { partnerDetailLink, partnerListPath } from './partner-links.ts';

/** A company by its id in the address; the name there is for display until its own is known. */
export function usePartner({ id, name }: { readonly id: number; readonly name: string }) {
  const query = useApiQuery(tenantRoutes.getPartner, { params: { pid: id } }, { enabled: id !== 0 });
  return { partner: query.data, name: query.data?.name ?? name };
}

/** From the home of the admin area to a company. */
export function usePartnerCrumbs(of: { readonly id: number; readonly name: string }): Crumb[] {
  const { t } = useTranslation('partners');
  const { name } = usePartner(of);
  return [
    { label: t('title'), to: partnerListPath },
    { label: name || t('detail'), to: partnerDetailLink({ id: of.id, name }) },
  ];
}
