import type { NewUnit, UnitLicences } from '../domain/unit.ts';
import type { TenantDb } from './db.ts';

export async function insertUnit(db: TenantDb, unit: NewUnit, now: Date): Promise<number> {
  const { id } = await db.unit.create({
    data: { ...unit, createdAt: now, updatedAt: now },
    select: { id: true },
  });
  return id;
}

/**
 * The licences of a unit, which stay as they are until the transaction ends: whoever wants to give some of them away
 * waits here. Null when there is no such unit.
 */
export async function lockLicences(db: TenantDb, unitId: number): Promise<UnitLicences | null> {
  const [unit] = await db.$queryRaw<{ allocated: number }[]>`
    SELECT allocated_license AS allocated FROM units WHERE id = ${unitId} FOR UPDATE`;
  if (!unit) return null;
  const { _sum } = await db.partner.aggregate({ where: { unitId }, _sum: { licenseCount: true } });
  return { allocated: unit.allocated, consumed: _sum.licenseCount ?? 0 };
}

/** What the identity service told of an administrator of a unit. */
export async function keepUnitAdmin(
  db: TenantDb,
  admin: { adminId: number; unitId: number; name: string; email: string; role: number },
): Promise<void> {
  const { adminId, ...state } = admin;
  await db.unitAdmin.upsert({ where: { adminId }, create: admin, update: state });
}
