import type { NewUnit, UnitLicences } from '../domain/unit.ts';
import type { TenantDb } from './db.ts';

export async function insertUnit(
  db: TenantDb,
  unit: NewUnit,
  now: Date,
): Promise<{ id: number; revision: number }> {
  return db.unit.create({
    data: { ...unit, createdAt: now, updatedAt: now },
    select: { id: true, revision: true },
  });
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

/** Keeps what the identity service told of an administrator, who may be the platform's now. */
export async function upsertUnitAdmin(
  db: TenantDb,
  admin: { adminId: number; unitId: number | null; name: string; email: string; role: number },
): Promise<void> {
  const { adminId, email, name, role, unitId } = admin;
  if (unitId === null) return dropUnitAdmins(db, [adminId]);
  const state = { unitId, name, email, role };
  await db.unitAdmin.upsert({ where: { adminId }, create: { adminId, ...state }, update: state });
}

export async function dropUnitAdmins(db: TenantDb, adminIds: readonly number[]): Promise<void> {
  await db.unitAdmin.deleteMany({ where: { adminId: { in: [...adminIds] } } });
}
