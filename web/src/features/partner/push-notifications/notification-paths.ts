import { recordPaths } from '../../../components/record/record-paths.ts';

export const notificationPaths = recordPaths('/partner/push-notifications');
/** Where users are chosen, for a new one and, with its id, for one that is edited. */
export const notificationUsersPath = '/partner/push-notifications/users/';
