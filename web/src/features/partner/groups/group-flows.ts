import type { groupRoles, RouteReply, userRoutes } from '@portal/contracts';
import type { FlowDefinition } from '../../../ui/flow/flow-store.ts';

export type GroupDetail = RouteReply<typeof userRoutes.getGroup>;

export type GroupValues = {
  name: string;
  note: string;
  role: (typeof groupRoles)[number];
};

export const groupListPath = '/partner/groups';
export const groupDetailPath = '/partner/groups/detail/';
export const groupMembersPath = '/partner/groups/members/';

export const groupCreateFlow: FlowDefinition<GroupValues> = {
  name: 'group-create',
  paths: {
    form: '/partner/groups/create',
    confirm: '/partner/groups/confirm',
    complete: '/partner/groups/complete',
  },
};

export const groupEditFlow: FlowDefinition<GroupValues> = {
  name: 'group-edit',
  paths: {
    form: '/partner/groups/edit/',
    confirm: '/partner/groups/edit/confirm/',
    complete: '/partner/groups/edit/complete/',
  },
};
