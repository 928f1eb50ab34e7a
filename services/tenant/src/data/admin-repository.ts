import type { TenantDb } from './db.ts';

/** Keeps what the identity service told of an administrator. */
export async function upsertAdmin(
  db: TenantDb,
  admin: { adminId: number; unitId: number | null; name: string; email: string; role: number },
): Promise<void> {
  const { adminId, email, name, role, unitId } = admin;
  const state = { unitId, name, email, role };
  await db.admin.upsert({ where: { adminId }, create: { adminId, ...state }, update: state });
}

export async function dropAdmins(db: TenantDb, adminIds: readonly number[]): Promise<void> {
  await db.admin.deleteMany({ where: { adminId: { in: [...adminIds] } } });
}
