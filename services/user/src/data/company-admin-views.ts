import {
  type companyAdminRoutes,
  foldCase,
  formatDateTime,
  formatNullableDateTime,
  type RouteInput,
  type RouteReply,
} from '@portal/contracts';
import { contains, listPage, pageReply } from '@portal/database';
import { adminRoles } from '../domain/role.ts';
import type { UserDb } from './db.ts';
import type { Account, Prisma } from './generated/client.ts';

type Query = RouteInput<typeof companyAdminRoutes.listCompanyAdmins>['query'];
type CompanyAdmin = RouteReply<typeof companyAdminRoutes.getCompanyAdmin>;

const columns = {
  id: 'id',
  name: 'nameKey',
  email: 'emailKey',
  createdAt: 'createdAt',
  lastLoginAt: 'lastLoginAt',
} as const satisfies Record<Query['orderKey'], keyof Account>;

/** A page of the company admins of a partner. */
export async function listCompanyAdmins(
  db: UserDb,
  partnerId: number,
  query: Query,
): Promise<RouteReply<typeof companyAdminRoutes.listCompanyAdmins>> {
  const name = contains(query.name === undefined ? undefined : foldCase(query.name));
  const email = contains(query.email === undefined ? undefined : foldCase(query.email));
  const where: Prisma.AccountWhereInput = {
    partnerId,
    role: { in: adminRoles },
    ...(name && { nameKey: name }),
    // Who has no address is shown, and found, by the login id in its place.
    ...(email && { OR: [{ emailKey: email }, { loginUserIdKey: email }] }),
  };
  const totalCount = await db.account.count({ where });
  const admins = await db.account.findMany({
    where,
    ...listPage({ ...query, orderKey: columns[query.orderKey] }, { nullable: ['emailKey', 'lastLoginAt'] }),
  });
  return { ...pageReply(totalCount, query), admins: admins.map(toRow) };
}

export async function companyAdminDetail(
  db: UserDb,
  partnerId: number,
  id: number,
): Promise<CompanyAdmin | null> {
  const admin = await db.account.findFirst({ where: { partnerId, id, role: { in: adminRoles } } });
  return admin && toRow(admin);
}

/** At most `take` company admins in the order of their ids, from behind the id `after`. */
export async function companyAdminsAfter(
  db: UserDb,
  partnerId: number,
  { after, take }: { after: number; take: number },
): Promise<Account[]> {
  return db.account.findMany({
    where: { partnerId, role: { in: adminRoles }, id: { gt: after } },
    orderBy: { id: 'asc' },
    take,
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
