import {
  formatNullableDateTime,
  type RouteInput,
  type RouteReply,
  type tenantRoutes,
} from '@portal/contracts';
import type { findUnit } from '@portal/contracts/internal';
import { contains, listPage, pageReply } from '@portal/database';
import type { TenantDb } from './db.ts';

type Query = RouteInput<typeof tenantRoutes.listUnits>['query'];

/** A page of units with their partners and administrators, as far as the scope reaches. */
export async function listUnits(
  db: TenantDb,
  query: Query,
): Promise<RouteReply<typeof tenantRoutes.listUnits>> {
  const name = contains(query.name);
  const where = { ...(name && { name }) };
  const totalCount = await db.unit.count({ where });
  const units = await db.unit.findMany({
    where,
    ...listPage(query),
    include: { partners: { orderBy: { id: 'asc' } } },
  });
  const admins = await db.unitAdmin.findMany({
    where: { unitId: { in: units.map(({ id }) => id) } },
    orderBy: { adminId: 'asc' },
  });
  const adminsOf = Map.groupBy(admins, (admin) => admin.unitId);
  return {
    ...pageReply(totalCount, query),
    units: units.map((unit) => ({
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
    })),
  };
}

/** What other services ask of a unit. */
export async function unitForServices(
  db: TenantDb,
  unitId: number,
): Promise<RouteReply<typeof findUnit> | null> {
  const unit = await db.unit.findUnique({ where: { id: unitId } });
  if (!unit) return null;
  const { allocatedLicense, canForceDistributeApp, name, ownerPartnerid, revision } = unit;
  return { unitId, revision, name, allocatedLicense, ownerPartnerid, canForceDistributeApp };
}

export async function unitIdOfName(db: TenantDb, name: string): Promise<number | undefined> {
  const unit = await db.unit.findFirst({ where: { name }, orderBy: { id: 'asc' }, select: { id: true } });
  return unit?.id;
}
