import type { LicenceChange } from '../domain/licence-terms.ts';
import type { TenantDb } from './db.ts';
import { Prisma } from './generated/client.ts';

/** Who changes licences: an administrator, or else what it is called, such as `sign-up`. */
export type Changer = { readonly adminId: number } | { readonly name: string };

/** Writes a change to the licence log. */
export async function insertLicenceChange(
  db: TenantDb,
  partner: { readonly id: number; readonly name: string },
  { after, before }: LicenceChange,
  by: Changer,
  now: Date,
): Promise<void> {
  await db.licenceChange.create({
    data: {
      partnerId: partner.id,
      partnerName: partner.name,
      ...(await namesOf(db, by)),
      before: before ?? Prisma.DbNull,
      after,
      changedAt: now,
    },
    select: { id: true },
  });
}

/** An administrator of whom no event has told yet is known by the id alone, and is called by their address once it is known. */
async function namesOf(
  db: TenantDb,
  by: Changer,
): Promise<{ adminId: number | null; changedBy: string | null }> {
  if ('name' in by) return { adminId: null, changedBy: by.name };
  const admin = await db.admin.findUnique({ where: { adminId: by.adminId }, select: { email: true } });
  return { adminId: by.adminId, changedBy: admin?.email ?? null };
}
