import {
  foldCase,
  formatDateTime,
  formatNullableDateTime,
  type RouteInput,
  type RouteReply,
  type tenantRoutes,
} from '@portal/contracts';
import type { findUnit } from '@portal/contracts/internal';
import { likeContaining, orderedBy, pageReply, searchFor } from '@portal/database';
import { unitStateOf } from '../domain/unit.ts';
import type { TenantDb } from './db.ts';
import { Prisma } from './generated/client.ts';

type Query = RouteInput<typeof tenantRoutes.listUnits>['query'];
type Row = RouteReply<typeof tenantRoutes.listUnits>['units'][number];

const { sql } = Prisma;

const columns: Record<Query['orderKey'], Prisma.Sql> = { id: sql`u.id`, name: sql`u.name_key` };

/** A page of units with their partners and administrators, as far as the scope reaches. */
export async function listUnits(
  db: TenantDb,
  query: Query,
): Promise<RouteReply<typeof tenantRoutes.listUnits>> {
  const { name, order, orderKey, page, perPage, q } = query;
  const search = q ? searchFor(foldCase(q), { id: sql`u.id`, texts: [sql`u.name_key`] }) : undefined;
  const conditions = [
    ...(search ? [search.condition] : []),
    ...(name ? [sql`u.name_key LIKE ${likeContaining(foldCase(name))}`] : []),
  ];
  const where = conditions.length === 0 ? Prisma.empty : sql`WHERE ${Prisma.join(conditions, ' AND ')}`;
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM units u ${where}`;
  const found = await db.$queryRaw<{ id: number }[]>`
    SELECT u.id FROM units u ${where}
    ORDER BY ${search ? sql`${search.first} DESC,` : Prisma.empty}
      ${orderedBy(columns[orderKey], sql`u.id`, { nullable: false, order, reversed: false })}
    OFFSET ${(page - 1) * perPage} LIMIT ${perPage}`;
  const ids = found.map(({ id }) => id);
  const rows = new Map((await withContents(db, ids)).map((unit) => [unit.unitId, unit]));
  return {
    ...pageReply(counted?.count ?? 0, query),
    units: ids.flatMap((id) => {
      const unit = rows.get(id);
      return unit ? [rowOf(unit)] : [];
    }),
  };
}

/** What other services ask of a unit. */
export async function unitForServices(
  db: TenantDb,
  unitId: number,
): Promise<RouteReply<typeof findUnit> | null> {
  const unit = await db.unit.findUnique({ where: { id: unitId } });
  return unit && unitStateOf(unitId, unit);
}

/** One unit with its partners and administrators; undefined where there is none, or the scope does not reach it. */
export async function unitDetail(
  db: TenantDb,
  id: number,
): Promise<RouteReply<typeof tenantRoutes.getUnit> | undefined> {
  const [unit] = await withContents(db, [id]);
  return unit;
}

/** All partners of a unit; undefined as above. */
export async function unitPartners(
  db: TenantDb,
  id: number,
): Promise<RouteReply<typeof tenantRoutes.listUnitPartners> | undefined> {
  const unit = await unitDetail(db, id);
  return unit && { partners: unit.partners };
}

export async function unitIdOfName(db: TenantDb, name: string): Promise<number | undefined> {
  const unit = await db.unit.findUnique({ where: { nameKey: foldCase(name) }, select: { id: true } });
  return unit?.id;
}

/** The units with these ids, in any order. */
async function withContents(
  db: TenantDb,
  ids: readonly number[],
): Promise<RouteReply<typeof tenantRoutes.getUnit>[]> {
  const units = await db.unit.findMany({
    where: { id: { in: [...ids] } },
    include: { partners: { orderBy: { id: 'asc' } } },
  });
  const admins = await db.admin.findMany({
    where: { unitId: { in: [...ids] } },
    orderBy: { adminId: 'asc' },
  });
  const adminsOf = Map.groupBy(admins, (admin) => admin.unitId);
  return units.map((unit) => ({
    unitId: unit.id,
    unitName: unit.name,
    allocatedLicense: unit.allocatedLicense,
    consumedLicense: unit.partners.reduce((sum, { licenseCount }) => sum + licenseCount, 0),
    ownerPartnerid: unit.ownerPartnerid,
    canForceDistributeApp: unit.canForceDistributeApp,
    partners: unit.partners.map((partner) => ({
      id: partner.id,
      name: partner.name,
      contractRank: partner.contractRank,
      licenseType: partner.licenseType,
      licenseCount: partner.licenseCount,
      licenseExpiredOn: formatNullableDateTime(partner.licenseExpiredOn),
    })),
    admins: (adminsOf.get(unit.id) ?? []).map((admin) => ({
      adminId: admin.adminId,
      adminName: admin.name,
      adminEmail: admin.email,
      role: admin.role,
    })),
    createdAt: formatDateTime(unit.createdAt),
    updatedAt: formatDateTime(unit.updatedAt),
  }));
}

function rowOf({ createdAt: _createdAt, updatedAt: _updatedAt, ...row }: Row & Times): Row {
  return row;
}

interface Times {
  readonly createdAt: string;
  readonly updatedAt: string;
}
