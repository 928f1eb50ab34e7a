import type { RouteReply, rolloutRoutes } from '@portal/contracts';

export type Rollout = RouteReply<typeof rolloutRoutes.getRollout>;
