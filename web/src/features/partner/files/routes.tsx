import { page, withTexts } from '../../../lib/route-page.ts';
import { FlowRoute } from '../../../ui/flow/flow.tsx';
import { fileDevicesPath } from './delivery/device-links.ts';
import { fileCreateFlow, fileEditFlow } from './file-flows.ts';

const texts = ['files', 'groups'] as const;
/** What the list, on which people begin, does without. */
const moreTexts = ['delivery', 'effect', 'rollout', 'operationLogs'] as const;
const list = {
  handle: { needs: 'listFiles' },
  ...page(() => import('./list-page.tsx'), 'FileListPage'),
} as const;
const detail = {
  handle: { needs: 'getFile' },
  ...page(() => import('./detail-page.tsx'), 'FileDetailPage'),
} as const;

export const filePages = withTexts(texts, [
  { path: '/partner/files', ...list },
  withTexts(moreTexts, [
    { path: '/partner/files/detail', ...detail },
    {
      path: fileDevicesPath.replace(/\/$/, ''),
      handle: { needs: 'listDeliveryDevices' },
      ...page(() => import('./delivery/devices-page.tsx'), 'DeliveryDevicesPage'),
    },
    {
      path: '/partner/files/groups',
      handle: { needs: 'getFile' },
      ...page(() => import('./assign/assign-page.tsx'), 'FileGroupsPage'),
    },
    {
      element: <FlowRoute flow={fileCreateFlow} />,
      handle: { needs: 'createFile' },
      children: [
        { path: '/partner/files/create', ...page(() => import('./create-pages.tsx'), 'FileCreatePage') },
        {
          path: '/partner/files/confirm',
          ...page(() => import('./create-pages.tsx'), 'FileCreateConfirmPage'),
        },
        {
          path: '/partner/files/complete',
          ...page(() => import('./create-pages.tsx'), 'FileCreateCompletePage'),
        },
      ],
    },
    {
      element: <FlowRoute flow={fileEditFlow} />,
      handle: { needs: 'updateFile' },
      children: [
        { path: '/partner/files/edit', ...page(() => import('./edit-pages.tsx'), 'FileEditPage') },
        {
          path: '/partner/files/edit/confirm',
          ...page(() => import('./edit-pages.tsx'), 'FileEditConfirmPage'),
        },
        {
          path: '/partner/files/edit/complete',
          ...page(() => import('./edit-pages.tsx'), 'FileEditCompletePage'),
        },
      ],
    },
  ]),
]);

/** The same for administrators, who read them. */
export const tenantFilePages = withTexts(texts, [
  { path: '/admin/partner/files', ...list },
  withTexts(moreTexts, [{ path: '/admin/partner/files/detail', ...detail }]),
]);
