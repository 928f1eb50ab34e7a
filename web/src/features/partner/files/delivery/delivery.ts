import type { deliveryRoutes, RouteReply } from '@portal/contracts';

export type Delivery = RouteReply<typeof deliveryRoutes.getDelivery>;

/** Milliseconds between two looks at what moves by itself. */
export const movesEvery = 5_000;
