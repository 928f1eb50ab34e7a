import type { RouteObject } from 'react-router-dom';
import { page, withTexts } from '../../../lib/route-page.ts';
import { FlowRoute } from '../../../ui/flow/flow.tsx';
import { importPaths } from './import/import-paths.ts';
import { userCreateFlow, userEditFlow } from './user-flows.ts';

const statePages = () => import('./import/import-state-pages.tsx');

const importPages: RouteObject[] = [
  {
    path: importPaths.form,
    handle: { needs: 'createUserImport' },
    ...page(() => import('./import/import-page.tsx'), 'UserImportPage'),
  },
  {
    path: importPaths.confirm,
    handle: { needs: 'applyUserImport' },
    ...page(statePages, 'UserImportConfirmPage'),
  },
  {
    path: importPaths.error,
    handle: { needs: 'getUserImport' },
    ...page(statePages, 'UserImportErrorPage'),
  },
  {
    path: importPaths.complete,
    handle: { needs: 'getUserImport' },
    ...page(statePages, 'UserImportCompletePage'),
  },
];

const texts = ['users', 'groups', 'files', 'delivery', 'userImport', 'operationLogs'] as const;
const list = {
  handle: { needs: 'listUsers' },
  ...page(() => import('./list-page.tsx'), 'UserListPage'),
} as const;
const detail = {
  handle: { needs: 'getUser' },
  ...page(() => import('./detail-page.tsx'), 'UserDetailPage'),
} as const;

export const userPages = withTexts(texts, [
  { path: '/partner/users', ...list },
  { path: '/partner/users/detail', ...detail },
  ...importPages,
  {
    element: <FlowRoute flow={userCreateFlow} />,
    handle: { needs: 'createUser' },
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
    handle: { needs: 'updateUser' },
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
]);

/** The same for administrators, who read them. */
export const tenantUserPages = withTexts(texts, [
  { path: '/admin/partner/users', ...list },
  { path: '/admin/partner/users/detail', ...detail },
]);
