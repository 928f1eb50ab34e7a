import { fileRoutes, userRoutes } from '@portal/contracts';
import type { RouteObject } from 'react-router-dom';
import { page } from '../../../lib/route-page.ts';
import { FlowRoute } from '../../../ui/flow/flow.tsx';
import { importPaths } from './import/import-paths.ts';
import { userCreateFlow, userEditFlow } from './user-flows.ts';

const statePages = () => import('./import/import-state-pages.tsx');

const importPages: RouteObject[] = [
  {
    path: importPaths.form,
    handle: { needs: fileRoutes.createUserImport },
    ...page(() => import('./import/import-page.tsx'), 'UserImportPage'),
  },
  {
    path: importPaths.confirm,
    handle: { needs: userRoutes.applyUserImport },
    ...page(statePages, 'UserImportConfirmPage'),
  },
  {
    path: importPaths.error,
    handle: { needs: userRoutes.getUserImport },
    ...page(statePages, 'UserImportErrorPage'),
  },
  {
    path: importPaths.complete,
    handle: { needs: userRoutes.getUserImport },
    ...page(statePages, 'UserImportCompletePage'),
  },
];

export const userPages: RouteObject[] = [
  {
    path: '/partner/users',
    handle: { needs: userRoutes.listUsers },
    ...page(() => import('./list-page.tsx'), 'UserListPage'),
  },
  {
    path: '/partner/users/detail',
    handle: { needs: userRoutes.getUser },
    ...page(() => import('./detail-page.tsx'), 'UserDetailPage'),
  },
  ...importPages,
  {
    element: <FlowRoute flow={userCreateFlow} />,
    handle: { needs: userRoutes.createUser },
    children: [
      { path: '/partner/users/create', ...page(() => import('./create-pages.tsx'), 'UserCreatePage') },
      {
        path: '/partner/users/confirm',
        ...page(() => import('./create-pages.tsx'), 'UserCreateConfirmPage'),
      },
      {
        path: '/partner/users/complete',
        ...page(() => import('./create-pages.tsx'), 'UserCreateCompletePage'),
      },
    ],
  },
  {
    element: <FlowRoute flow={userEditFlow} />,
    handle: { needs: userRoutes.updateUser },
    children: [
      { path: '/partner/users/edit', ...page(() => import('./edit-pages.tsx'), 'UserEditPage') },
      {
        path: '/partner/users/edit/confirm',
        ...page(() => import('./edit-pages.tsx'), 'UserEditConfirmPage'),
      },
      {
        path: '/partner/users/edit/complete',
        ...page(() => import('./edit-pages.tsx'), 'UserEditCompletePage'),
      },
    ],
  },
];
