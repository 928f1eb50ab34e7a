import { formatDateTime, type RouteInput, type RouteReply, type tenantRoutes } from '@portal/contracts';
import { listPage, pageReply } from '@portal/database';
import type { TenantDb } from './db.ts';

/** A page of the mails to people of a partner that could not be delivered. */
export async function listBounces(
  db: TenantDb,
  partnerId: number,
  query: RouteInput<typeof tenantRoutes.listBounces>['query'],
): Promise<RouteReply<typeof tenantRoutes.listBounces>> {
  const where = { partnerId };
  const totalCount = await db.bounce.count({ where });
  const bounces = await db.bounce.findMany({ where, ...listPage(query) });
  return {
    ...pageReply(totalCount, query),
    bounces: bounces.map(({ id, email, kind, reason, occurredAt }) => ({
      id,
      email,
      kind,
      reason,
      occurredAt: formatDateTime(occurredAt),
    })),
  };
}
