import type { TenantDb } from './db.ts';

export async function keepApplication(
  db: TenantDb,
  application: { readonly applicationId: number; readonly unitId: number | null },
): Promise<void> {
  const { applicationId, unitId } = application;
  await db.application.upsert({ where: { applicationId }, create: application, update: { unitId } });
}

export async function dropApplications(db: TenantDb, ids: readonly number[]): Promise<void> {
  await db.application.deleteMany({ where: { applicationId: { in: [...ids] } } });
}

/** Whether an application is published, by the platform or by this unit. */
export async function isWithinReach(
  db: TenantDb,
  { applicationId, unitId }: { readonly applicationId: number; readonly unitId: number },
): Promise<boolean> {
  const found = await db.application.count({ where: { applicationId, OR: [{ unitId: null }, { unitId }] } });
  return found > 0;
}
