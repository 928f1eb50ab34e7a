import { adminRoleBits, hasAnyRole } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { lockAdmins } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import type { Admin } from '../data/generated/client.ts';
import { allRights, type Giver } from '../domain/admin.ts';

interface Which {
  /** Null for the platform. */
  readonly unitId: number | null;
}

/**
 * Holds who makes an administrator as they are until the transaction ends. Throws `E40102` when they are gone by now, `E40301`
 * when they have lost the right to it.
 */
export async function holdGiver(db: IdentityDb, giver: Giver, { unitId }: Which): Promise<void> {
  if (giver.adminId === null) return;
  giverOfNow(await lockAdmins(db, [giver.adminId], { all: false }), giver, unitId);
}

/**
 * Holds an administrator and who changes them, as they are until the transaction ends; `takesAll`: the change takes rights from
 * them, or all there is of them. Throws `E40401` for nobody of the unit, `E40031` for the last one with all rights on the platform,
 * and what `holdGiver` does.
 */
export async function holdAdmin(
  db: IdentityDb,
  giver: Giver & { readonly adminId: number },
  { adminId, takesAll, unitId }: Which & { readonly adminId: number; readonly takesAll: boolean },
): Promise<{ admin: Admin; giver: Giver }> {
  const held = await lockAdmins(db, [giver.adminId, adminId], { all: takesAll && unitId === null });
  const admin = held.get(adminId);
  if (admin?.unitId !== unitId) throw new AppError('E40401');
  const othersWithAll = [...held.values()].filter(({ id, role, unitId: of }) => {
    return id !== adminId && of === null && role === allRights;
  });
  if (takesAll && unitId === null && admin.role === allRights && othersWithAll.length === 0) {
    throw new AppError('E40031', [], { messageKey: 'lastAdmin' });
  }
  return { admin, giver: giverOfNow(held, giver, unitId) };
}

/** They may be gone, or have another role, since their call was let in. */
function giverOfNow(held: ReadonlyMap<number, Admin>, giver: Giver, unitId: number | null): Giver {
  const known = giver.adminId === null ? undefined : held.get(giver.adminId);
  if (!known) throw new AppError('E40102');
  const needed = unitId === null ? adminRoleBits.superAdministration : adminRoleBits.unitAdministration;
  if (!hasAnyRole(known.role, needed)) throw new AppError('E40301');
  return { adminId: known.id, role: known.role, unitId: known.unitId };
}
