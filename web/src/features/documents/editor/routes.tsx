import { collectionsPath } from '../../../lib/database-key.ts';
import { page, withTexts } from '../../../lib/route-page.ts';

/** The editor of one's own document database. */
export const documentPages = withTexts(
  ['documents'],
  [
    {
      path: collectionsPath,
      handle: { needs: 'listCollections' },
      ...page(() => import('./collections-page.tsx'), 'CollectionsPage'),
    },
  ],
);

/** The same of the company that an administrator looks at. */
export const tenantDocumentPages = withTexts(
  ['documents'],
  [
    {
      path: '/admin/partner/collections',
      handle: { needs: 'listCollections' },
      ...page(() => import('./tenant-collections-page.tsx'), 'TenantCollectionsPage'),
    },
  ],
);
