import { recordPaths } from '../../../components/record/record-paths.ts';

export const groupPaths = recordPaths('/partner/groups');
/** For administrators, who read them. */
export const tenantGroupPaths = recordPaths('/admin/partner/groups', { parent: 'partner' });
export const groupMembersPath = '/partner/groups/members/';
