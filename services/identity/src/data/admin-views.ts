import {
  type administratorRoutes,
  foldCase,
  formatDateTime,
  formatNullableDateTime,
  type RouteInput,
  type RouteReply,
} from '@portal/contracts';
import { orderedBy, pageReply, searchFor } from '@portal/database';
import type { IdentityDb } from './db.ts';
import { Prisma } from './generated/client.ts';

type Query = RouteInput<typeof administratorRoutes.listAdmins>['query'];
type PlatformAdmin = RouteReply<typeof administratorRoutes.getAdmin>;
type UnitAdmin = RouteReply<typeof administratorRoutes.getUnitAdmin>;

const { sql } = Prisma;

interface AdminRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: number;
  readonly twoFactor: boolean;
  readonly lastLoginAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns: Record<Query['orderKey'], { name: Prisma.Sql; nullable: boolean }> = {
  id: { name: sql`a.id`, nullable: false },
  name: { name: sql`lower(a.name)`, nullable: false },
  email: { name: sql`lower(a.email)`, nullable: false },
  role: { name: sql`a.role`, nullable: false },
  createdAt: { name: sql`a.created_at`, nullable: false },
  lastLoginAt: { name: sql`a.last_login_at`, nullable: true },
};

/** Administrators `a`, with what follows FROM. */
const selectAdmins = async (db: IdentityDb, rest: Prisma.Sql) => db.$queryRaw<AdminRow[]>`
  SELECT a.id, a.name, a.email, a.role, f.enabled_at IS NOT NULL AS "twoFactor", a.last_login_at AS "lastLoginAt",
    a.created_at AS "createdAt", a.updated_at AS "updatedAt"
  FROM admins a LEFT JOIN two_factors f ON f.account_kind = 'admin' AND f.account_id = a.id
  ${rest}`;

/** A page of the platform administrators. */
export async function listAdmins(
  db: IdentityDb,
  { order, orderKey, page, perPage, q }: Query,
): Promise<RouteReply<typeof administratorRoutes.listAdmins>> {
  const search =
    q === undefined || q === ''
      ? undefined
      : searchFor(foldCase(q), { id: sql`a.id`, texts: [sql`lower(a.name)`, sql`lower(a.email)`] });
  const where = sql`WHERE a.unit_id IS NULL AND ${search?.condition ?? sql`true`}`;
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM admins a ${where}`;
  const { name, nullable } = columns[orderKey];
  const admins = await selectAdmins(
    db,
    sql`${where}
      ORDER BY CASE WHEN ${search?.first ?? sql`true`} THEN 0 ELSE 1 END,
        ${orderedBy(name, sql`a.id`, { nullable, order, reversed: false })}
      OFFSET ${(page - 1) * perPage} LIMIT ${perPage}`,
  );
  return { ...pageReply(counted?.count ?? 0, { page, perPage }), admins: admins.map(platformAdmin) };
}

export async function adminDetail(db: IdentityDb, adminId: number): Promise<PlatformAdmin | null> {
  const [admin] = await selectAdmins(db, sql`WHERE a.id = ${adminId} AND a.unit_id IS NULL`);
  return admin ? platformAdmin(admin) : null;
}

/** All administrators of a unit. */
export async function listUnitAdmins(db: IdentityDb, unitId: number): Promise<UnitAdmin[]> {
  const admins = await selectAdmins(db, sql`WHERE a.unit_id = ${unitId} ORDER BY lower(a.name), a.id`);
  return admins.map(unitAdmin);
}

export async function unitAdminDetail(
  db: IdentityDb,
  { adminId, unitId }: { readonly adminId: number; readonly unitId: number },
): Promise<UnitAdmin | null> {
  const [admin] = await selectAdmins(db, sql`WHERE a.id = ${adminId} AND a.unit_id = ${unitId}`);
  return admin ? unitAdmin(admin) : null;
}

const timesOf = ({ createdAt, lastLoginAt, updatedAt }: AdminRow) => ({
  lastLoginAt: formatNullableDateTime(lastLoginAt),
  createdAt: formatDateTime(createdAt),
  updatedAt: formatDateTime(updatedAt),
});

function platformAdmin(admin: AdminRow): PlatformAdmin {
  const { email, id, name, role, twoFactor } = admin;
  return { id, name, email, role, twoFactor, ...timesOf(admin) };
}

function unitAdmin(admin: AdminRow): UnitAdmin {
  const { email, id, name, role, twoFactor } = admin;
  return { adminId: id, adminName: name, adminEmail: email, role, twoFactor, ...timesOf(admin) };
}
