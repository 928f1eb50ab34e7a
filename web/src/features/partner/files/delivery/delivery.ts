import type { deliveryRoutes, RouteReply } from '@portal/contracts';

export type Delivery = RouteReply<typeof deliveryRoutes.getDelivery>;
