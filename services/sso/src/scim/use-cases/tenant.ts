import type { Peers } from '@portal/service-kit';

/** The tenant whose identity provider calls, and where its resources are. */
export interface Tenant {
  readonly peers: Peers;
  readonly partnerId: number;
  readonly root: string;
}
