import { recordPaths } from '../../../components/record/record-paths.ts';

export const groupPaths = recordPaths('/partner/groups');
export const groupMembersPath = '/partner/groups/members/';
