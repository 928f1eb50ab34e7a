import type { RouteReply, userRoutes } from '@portal/contracts';

export type UserDetail = RouteReply<typeof userRoutes.getUser>;

export const userListPath = '/partner/users';
export const userDetailPath = '/partner/users/detail/';
