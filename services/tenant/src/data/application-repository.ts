import type { TenantDb } from './db.ts';

/** Whether an application is published, by the platform or by this unit. */
export async function isWithinReach(
  db: TenantDb,
  { applicationId, unitId }: { readonly applicationId: number; readonly unitId: number },
): Promise<boolean> {
  const found = await db.application.count({ where: { applicationId, OR: [{ unitId: null }, { unitId }] } });
  return found > 0;
}
