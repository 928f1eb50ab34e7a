import type { IdentityDb } from './db.ts';

/** The copy of a unit. */
export async function upsertUnit(db: IdentityDb, unit: { id: number; name: string }): Promise<void> {
  await db.unit.upsert({ where: { id: unit.id }, create: unit, update: unit });
}

export async function dropUnit(db: IdentityDb, id: number): Promise<void> {
  await db.unit.deleteMany({ where: { id } });
}

export async function unitExists(db: IdentityDb, id: number): Promise<boolean> {
  return (await db.unit.findUnique({ where: { id } })) !== null;
}

export async function unitIdOfName(db: IdentityDb, name: string): Promise<number | undefined> {
  const unit = await db.unit.findFirst({ where: { name }, orderBy: { id: 'asc' } });
  return unit?.id;
}
