import {
  type companyAdminRoutes,
  foldCase,
  formatDateTime,
  formatNullableDateTime,
  type RouteInput,
  type RouteReply,
} from '@portal/contracts';
import { likeContaining, orderedBy, pageReply, searchFor } from '@portal/database';
import type { z } from 'zod';
import { adminRoles } from '../domain/role.ts';
import type { UserDb } from './db.ts';
import { type Account, Prisma } from './generated/client.ts';

type Query = RouteInput<typeof companyAdminRoutes.listCompanyAdmins>['query'];
type CompanyAdmin = RouteReply<typeof companyAdminRoutes.getCompanyAdmin>;
export type AskedAdmins = z.output<typeof companyAdminRoutes.companyAdminFilters>;

const { sql } = Prisma;

const columns: Record<Query['orderKey'], { name: Prisma.Sql; nullable: boolean }> = {
  id: { name: sql`a.id`, nullable: false },
  name: { name: sql`a.name_key`, nullable: false },
  email: { name: sql`a.email_key`, nullable: true },
  createdAt: { name: sql`a.created_at`, nullable: false },
  lastLoginAt: { name: sql`a.last_login_at`, nullable: true },
};

/** Conditions on the account `a`. */
function adminsAsked(partnerId: number, asked: AskedAdmins): Prisma.Sql {
  const { email, name } = asked;
  const search = searchOf(asked);
  // Who has no address is shown, and found, by the login id in its place.
  const byLogin = (pattern: string) =>
    sql`(a.email_key LIKE ${pattern} OR a.login_user_id_key LIKE ${pattern})`;
  const conditions = [
    sql`a.partner_id = ${partnerId} AND a.role = ANY(${adminRoles}::integer[])`,
    ...(search ? [search.condition] : []),
    ...(name ? [sql`a.name_key LIKE ${likeContaining(foldCase(name))}`] : []),
    ...(email ? [byLogin(likeContaining(foldCase(email)))] : []),
  ];
  return Prisma.join(conditions, ' AND ');
}

function searchOf({ q }: AskedAdmins): ReturnType<typeof searchFor> | undefined {
  if (!q) return undefined;
  const texts = [sql`a.name_key`, sql`a.email_key`, sql`a.login_user_id_key`];
  return searchFor(foldCase(q), { id: sql`a.id`, texts });
}

/** A page of the company admins of a partner. */
export async function listCompanyAdmins(
  db: UserDb,
  partnerId: number,
  query: Query,
): Promise<RouteReply<typeof companyAdminRoutes.listCompanyAdmins>> {
  const where = adminsAsked(partnerId, query);
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM accounts a WHERE ${where}`;
  const { order, orderKey, page, perPage } = query;
  const { name, nullable } = columns[orderKey];
  const first = searchOf(query)?.first ?? sql`true`;
  const ids = await db.$queryRaw<{ id: number }[]>`
    SELECT a.id FROM accounts a WHERE ${where}
    ORDER BY CASE WHEN ${first} THEN 0 ELSE 1 END, ${orderedBy(name, sql`a.id`, { nullable, order, reversed: false })}
    OFFSET ${(page - 1) * perPage} LIMIT ${perPage}`;
  const admins = await db.account.findMany({ where: { partnerId, id: { in: ids.map(({ id }) => id) } } });
  const byId = new Map(admins.map((admin) => [admin.id, admin]));
  return {
    ...pageReply(counted?.count ?? 0, query),
    admins: ids.flatMap(({ id }) => {
      const admin = byId.get(id);
      return admin ? [toRow(admin)] : [];
    }),
  };
}

export async function companyAdminDetail(
  db: UserDb,
  partnerId: number,
  id: number,
): Promise<CompanyAdmin | null> {
  const admin = await db.account.findFirst({ where: { partnerId, id, role: { in: adminRoles } } });
  return admin && toRow(admin);
}

/** At most `take` of the company admins who are asked for, in the order of their ids, from behind the id `after`. */
export async function companyAdminsAfter(
  db: UserDb,
  partnerId: number,
  asked: AskedAdmins,
  { after, take }: { after: number; take: number },
): Promise<Account[]> {
  const ids = await db.$queryRaw<{ id: number }[]>`
    SELECT a.id FROM accounts a WHERE ${adminsAsked(partnerId, asked)} AND a.id > ${after} ORDER BY a.id LIMIT ${take}`;
  return db.account.findMany({
    where: { partnerId, id: { in: ids.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
}

function toRow(admin: Account): CompanyAdmin {
  return {
    id: admin.id,
    name: admin.name,
    email: admin.email,
    loginUserId: admin.loginUserId,
    createUserFlag: admin.isUser,
    twoFactor: admin.twoFactor,
    lastLoginAt: formatNullableDateTime(admin.lastLoginAt),
    createdAt: formatDateTime(admin.createdAt),
    updatedAt: formatDateTime(admin.updatedAt),
  };
}
