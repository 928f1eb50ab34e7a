import { tenantRoutes } from '@portal/contracts';
import { useEffect } from 'react';
import { useApiQuery } from '../lib/api.ts';
import { viewerZone } from '../lib/format.ts';
import { usePartnerSession, useSessionStore } from '../lib/session/use-session.ts';

/** The contract of the own company, for its admins. The session follows it: what the navigation offers depends on the rank. */
export function useOwnSummary(options: { enabled?: boolean; refetchInterval?: number } = {}) {
  const store = useSessionStore();
  const { partner } = usePartnerSession();
  const request = { params: { pid: partner.id }, query: { tz: viewerZone() } };
  const summary = useApiQuery(tenantRoutes.getSummary, request, options);
  const { contractRank, licenseType } = summary.data ?? {};
  useEffect(() => {
    if (contractRank && licenseType) store.changeContract({ contractRank, licenseType });
  }, [store, contractRank, licenseType]);
  return summary;
}
