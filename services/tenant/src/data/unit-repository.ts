import { foldCase } from '@portal/contracts';
import { isUniqueViolation } from '@portal/database';
import { AppError } from '@portal/kernel';
import type { NewUnit, UnitLicences } from '../domain/unit.ts';
import type { TenantDb } from './db.ts';
import type { Partner, Unit } from './generated/client.ts';

/** Throws `E40029` when the name is taken. */
export async function insertUnit(
  db: TenantDb,
  unit: NewUnit,
  now: Date,
): Promise<{ id: number; revision: number }> {
  return orNameTaken(
    db.unit.create({
      data: { ...unit, nameKey: foldCase(unit.name), createdAt: now, updatedAt: now },
      select: { id: true, revision: true },
    }),
  );
}

/**
 * A unit with what its partners hold, which stay as they are until the transaction ends: whoever wants to give some of its
 * licences away waits here. Null when there is no such unit. Whoever locks a partner too locks it first.
 */
export async function lockUnit(db: TenantDb, id: number): Promise<(Unit & UnitLicences) | null> {
  await db.$executeRaw`SELECT FROM units WHERE id = ${id} FOR UPDATE`;
  const unit = await db.unit.findUnique({ where: { id } });
  if (!unit) return null;
  const { _sum } = await db.partner.aggregate({ where: { unitId: id }, _sum: { licenseCount: true } });
  return { ...unit, allocated: unit.allocatedLicense, consumed: _sum.licenseCount ?? 0 };
}

export async function findUnit(db: TenantDb, id: number): Promise<Unit | null> {
  return db.unit.findUnique({ where: { id } });
}

/** The unit that was made first; undefined where there is none. */
export async function firstUnitId(db: TenantDb): Promise<number | undefined> {
  const unit = await db.unit.findFirst({ orderBy: { id: 'asc' }, select: { id: true } });
  return unit?.id;
}

/** The partner that owns a unit; null where none does. */
export async function findOwner(
  db: TenantDb,
  { ownerPartnerid: id }: Pick<Unit, 'ownerPartnerid'>,
): Promise<Pick<Partner, 'licenseExpiredOn'> | null> {
  if (id === 0) return null;
  return db.partner.findUnique({ where: { id }, select: { licenseExpiredOn: true } });
}

/** Changes a unit that is locked. Throws `E40029` when its new name is taken. */
export async function saveUnit(
  db: TenantDb,
  id: number,
  unit: NewUnit,
  now: Date,
): Promise<{ revision: number }> {
  return orNameTaken(
    db.unit.update({
      where: { id },
      data: { ...unit, nameKey: foldCase(unit.name), revision: { increment: 1 }, updatedAt: now },
      select: { revision: true },
    }),
  );
}

export async function deleteUnitRow(db: TenantDb, id: number): Promise<void> {
  await db.unit.delete({ where: { id }, select: { id: true } });
}

/** Whether a unit has partners or administrators. */
export async function isUnitInUse(db: TenantDb, unitId: number): Promise<boolean> {
  const [row] = await db.$queryRaw<{ inUse: boolean }[]>`
    SELECT EXISTS (SELECT FROM partners WHERE unit_id = ${unitId})
      OR EXISTS (SELECT FROM admins WHERE unit_id = ${unitId}) AS "inUse"`;
  return row?.inUse ?? false;
}

/** The units that a partner owns. */
export async function unitsOwnedBy(db: TenantDb, partnerId: number): Promise<number[]> {
  const units = await db.unit.findMany({
    where: { ownerPartnerid: partnerId },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  return units.map(({ id }) => id);
}

async function orNameTaken<T>(saving: Promise<T>): Promise<T> {
  try {
    return await saving;
  } catch (error) {
    if (isUniqueViolation(error, 'units_name_key_key')) {
      throw new AppError('E40029', [{ field: 'name', message: 'notUnique' }], { cause: error });
    }
    throw error;
  }
}
