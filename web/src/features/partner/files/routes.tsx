import { page, withTexts } from '../../../lib/route-page.ts';
import { FlowRoute } from '../../../ui/flow/flow.tsx';
import { fileCreateFlow, fileEditFlow } from './file-flows.ts';

export const filePages = withTexts(
  ['files', 'groups', 'operationLogs'],
  [
    {
      path: '/partner/files',
      handle: { needs: 'listFiles' },
      ...page(() => import('./list-page.tsx'), 'FileListPage'),
    },
    {
      path: '/partner/files/detail',
      handle: { needs: 'getFile' },
      ...page(() => import('./detail-page.tsx'), 'FileDetailPage'),
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
  ],
);
