import type { RouteObject } from 'react-router-dom';
import { page, withTexts } from '../../lib/route-page.ts';
import type { SessionKind } from '../../lib/session/session-store.ts';

const pageOf = { admin: 'AdminExportPage', partner: 'PartnerExportPage' } as const;

/** Where notices of finished exports lead. */
export const exportPages = (kind: SessionKind): RouteObject =>
  withTexts(
    ['ownNotices'],
    [{ path: `/${kind}/exports/:name/:id`, ...page(() => import('./export-page.tsx'), pageOf[kind]) }],
  );
