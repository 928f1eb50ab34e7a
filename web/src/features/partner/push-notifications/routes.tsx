import { recordRoutes } from '../../../components/record/record-routes.tsx';
import { page } from '../../../lib/route-page.ts';
import { notificationPaths, notificationUsersPath } from './notification-paths.ts';

export const notificationPages = recordRoutes({
  paths: notificationPaths,
  texts: ['pushNotifications', 'users', 'groups'],
  needs: {
    list: 'listNotifications',
    get: 'getNotification',
    create: 'createNotification',
    update: 'updateNotification',
  },
  aside: [notificationUsersPath],
  load: () => import('./notification-record.tsx'),
  more: [
    {
      handle: { needs: 'listUsers' },
      ...page(() => import('./users-flow.tsx'), 'UsersFlow'),
      children: [
        {
          path: notificationUsersPath.replace(/\/$/, ''),
          ...page(() => import('./users-page.tsx'), 'NotificationUsersPage'),
        },
      ],
    },
  ],
});
