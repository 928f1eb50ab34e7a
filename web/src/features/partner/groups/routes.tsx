import { recordRoutes } from '../../../components/record/record-routes.tsx';
import { page } from '../../../lib/route-page.ts';
import { groupPaths, tenantGroupPaths } from './group-paths.ts';

const texts = ['groups', 'users', 'files', 'operationLogs'] as const;

export const groupPages = recordRoutes({
  paths: groupPaths,
  texts,
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

/** The same for administrators, who read them. */
export const tenantGroupPages = recordRoutes({
  paths: tenantGroupPaths,
  texts,
  needs: { list: 'listGroups', get: 'getGroup' },
  load: async () => ({ record: (await import('./group-record.tsx')).tenantRecord }),
});
