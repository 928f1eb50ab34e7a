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

/** Whether there is this unit, which then stays until the transaction ends. */
export async function holdUnit(db: IdentityDb, id: number): Promise<boolean> {
  const held = await db.$queryRaw<unknown[]>`SELECT 1 FROM units WHERE id = ${id} FOR KEY SHARE`;
  return held.length > 0;
}

export async function unitIdOfName(db: IdentityDb, name: string): Promise<number | undefined> {
  const unit = await db.unit.findFirst({ where: { name }, orderBy: { id: 'asc' } });
  return unit?.id;
}
