import { tenantRoutes } from '@portal/contracts';
import { useApiQuery } from '../lib/api.ts';
import type { SessionKind } from '../lib/session/session-store.ts';
import { useMay, useSession } from '../lib/session/use-session.ts';
import { type NavArea, navigation } from './navigation.ts';

/** The areas and entries that the caller may use; areas without any are left out. */
export function useNavigation(kind: SessionKind): readonly NavArea[] {
  const may = useMay();
  const session = useSession();
  const pid = session?.kind === 'partner' ? session.partner.id : 0;
  const isAsked = pid > 0 && may('getSummary');
  const summary = useApiQuery(tenantRoutes.getSummary, { params: { pid } }, { enabled: isAsked });
  const hasLogs = summary.data?.operationLogDownloadFlag ?? false;
  return navigation[kind]
    .map((area) => ({
      ...area,
      entries: area.entries.filter(
        ({ needs, ofLogDownload }) => (needs === undefined || may(needs)) && (!ofLogDownload || hasLogs),
      ),
    }))
    .filter(({ entries }) => entries.length > 0);
}
