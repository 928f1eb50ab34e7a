import { userRoutes } from '@portal/contracts';
import type { RouteObject } from 'react-router-dom';
import { page } from '../../../lib/route-page.ts';
import { FlowRoute } from '../../../ui/flow/flow.tsx';
import { groupCreateFlow, groupEditFlow } from './group-flows.ts';

export const groupPages: RouteObject[] = [
  {
    path: '/partner/groups',
    handle: { needs: userRoutes.listGroups },
    ...page(() => import('./list-page.tsx'), 'GroupListPage'),
  },
  {
    path: '/partner/groups/detail',
    handle: { needs: userRoutes.getGroup },
    ...page(() => import('./detail-page.tsx'), 'GroupDetailPage'),
  },
  {
    path: '/partner/groups/members',
    handle: { needs: userRoutes.addGroupUsers },
    ...page(() => import('./add-members-page.tsx'), 'AddMembersPage'),
  },
  {
    element: <FlowRoute flow={groupCreateFlow} />,
    handle: { needs: userRoutes.createGroup },
    children: [
      { path: '/partner/groups/create', ...page(() => import('./create-pages.tsx'), 'GroupCreatePage') },
      {
        path: '/partner/groups/confirm',
        ...page(() => import('./create-pages.tsx'), 'GroupCreateConfirmPage'),
      },
      {
        path: '/partner/groups/complete',
        ...page(() => import('./create-pages.tsx'), 'GroupCreateCompletePage'),
      },
    ],
  },
  {
    element: <FlowRoute flow={groupEditFlow} />,
    handle: { needs: userRoutes.updateGroup },
    children: [
      { path: '/partner/groups/edit', ...page(() => import('./edit-pages.tsx'), 'GroupEditPage') },
      {
        path: '/partner/groups/edit/confirm',
        ...page(() => import('./edit-pages.tsx'), 'GroupEditConfirmPage'),
      },
      {
        path: '/partner/groups/edit/complete',
        ...page(() => import('./edit-pages.tsx'), 'GroupEditCompletePage'),
      },
    ],
  },
];
