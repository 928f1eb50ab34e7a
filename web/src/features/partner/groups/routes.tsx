import { recordRoutes } from '../../../components/record/record-routes.tsx';
import { page } from '../../../lib/route-page.ts';
import { groupPaths } from './group-paths.ts';

export const groupPages = recordRoutes({
  paths: groupPaths,
  texts: ['groups', 'users', 'files', 'operationLogs'],
  needs: { list: 'listGroups', get: 'getGroup', create: 'createGroup', update: 'updateGroup' },
  load: () => import('./group-record.tsx'),
  more: [
    {
      path: '/partner/groups/members',
      handle: { needs: 'addGroupUsers' },
      ...page(() => import('./add-members-page.tsx'), 'AddMembersPage'),
    },
  ],
});
