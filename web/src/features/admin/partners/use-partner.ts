import { type RouteContract, tenantRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { partnerDetailLink, partnerListPath } from '../../../components/partner-links.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { idOf } from '../../../lib/edit-link.ts';
import type { Crumb } from '../../../ui/page/page-header.tsx';
import type { PartnerDetail } from './partner-rules.ts';

/** The company whose id stands in the address. */
export function usePartnerOfAddress() {
  const [params] = useSearchParams();
  return useApiQuery(tenantRoutes.getPartner, { params: { pid: idOf(params) } });
}

/** Home, the list, the company that a page is about, and the page itself. */
export function usePartnerPageCrumbs(here?: string, partner?: PartnerDetail): Crumb[] {
  const { t } = useTranslation(['partners', 'shell']);
  const home = { label: t('shell:home'), to: '/admin/menu' };
  if (here === undefined) return [home, { label: t('title') }];
  return [
    home,
    { label: t('title'), to: partnerListPath },
    ...(partner ? [{ label: partner.name, to: partnerDetailLink(partner) }] : []),
    { label: here },
  ];
}

/** What a company is seen in: its licences are also those of its unit, and every change of them is logged. */
const stale: readonly RouteContract[] = [
  tenantRoutes.listPartners,
  tenantRoutes.getPartner,
  tenantRoutes.getSummary,
  tenantRoutes.getOverview,
  tenantRoutes.listUnits,
  tenantRoutes.getUnit,
  tenantRoutes.listLicenceChanges,
  tenantRoutes.listPartnerLicenceChanges,
];

/** Has what changes with a company asked for again. */
export function usePartnersChanged(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all(stale.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
}
