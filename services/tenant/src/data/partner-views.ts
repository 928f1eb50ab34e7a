import {
  formatDateTime,
  formatNullableDateTime,
  type RouteInput,
  type RouteReply,
  type tenantRoutes,
} from '@portal/contracts';
import type { findPartner } from '@portal/contracts/internal';
import { contains, listPage, pageReply, timeRange } from '@portal/database';
import { partnerStateOf } from '../domain/partner-state.ts';
import type { TenantDb } from './db.ts';
import type { Partner, Prisma } from './generated/client.ts';

type Query = RouteInput<typeof tenantRoutes.listPartners>['query'];
type Row = Partner & { readonly unit: { readonly name: string } };

const withUnitName = { unit: { select: { name: true } } } as const;

/** A page of partners, or with `all` the ids and names of every one, as far as the scope reaches. */
export async function listPartners(
  db: TenantDb,
  query: Query,
): Promise<RouteReply<typeof tenantRoutes.listPartners>> {
  const where = filtersOf(query);
  if (query.all) {
    const partners = await db.partner.findMany({
      where,
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
      select: { id: true, name: true },
    });
    return { partners };
  }
  const totalCount = await db.partner.count({ where });
  const partners = await db.partner.findMany({
    where,
    ...listPage(query, { nullable: ['licenseExpiredOn'] }),
    include: withUnitName,
  });
  return { ...pageReply(totalCount, query), partners: partners.map(toRow) };
}

/** One partner with all that an administrator may see; null when there is none. */
export async function partnerDetail(
  db: TenantDb,
  id: number,
): Promise<RouteReply<typeof tenantRoutes.getPartner> | null> {
  const partner = await db.partner.findUnique({ where: { id }, include: withUnitName });
  return (
    partner && {
      ...toRow(partner),
      userDeviceLimit: partner.userDeviceLimit,
      uapFileLimit: partner.uapFileLimit,
      filePublicFlag: partner.filePublicFlag,
      operationLogDownloadFlag: partner.operationLogDownloadFlag,
      email: partner.email,
      partnerItem: partner.partnerItem,
      json: partner.json,
      comment: partner.comment,
      managers: partner.managers,
      lang: partner.lang,
    }
  );
}

/** What another service needs of a partner, by its id or its code ignoring case; null when there is none. */
export async function partnerForServices(
  db: TenantDb,
  by: RouteInput<typeof findPartner>['body'],
): Promise<RouteReply<typeof findPartner> | null> {
  const id = 'partnerId' in by ? by.partnerId : await idOfCode(db, by.partnerCode);
  if (id === undefined) return null;
  const partner = await db.partner.findUnique({ where: { id } });
  return partner && { ...partnerStateOf(id, partner), json: partner.json };
}

export async function unitIdOf(db: TenantDb, partnerId: number): Promise<number | undefined> {
  const partner = await db.partner.findUnique({ where: { id: partnerId }, select: { unitId: true } });
  return partner?.unitId;
}

/** The id of the partner with this code, ignoring case. */
export async function idOfCode(db: TenantDb, partnerCode: string): Promise<number | undefined> {
  const [partner] = await db.$queryRaw<{ id: number }[]>`
    SELECT partner_id AS id FROM partners WHERE lower(partner_code) = lower(${partnerCode})`;
  return partner?.id;
}

function filtersOf(query: Query): Prisma.PartnerWhereInput {
  const name = contains(query.name);
  const partnerCode = contains(query.code);
  const licenseExpiredOn = timeRange(query.licenseExpiredOnStart, query.licenseExpiredOnEnd);
  const lastBounceAt = timeRange(query.bounceInfoStart, query.bounceInfoEnd);
  return {
    ...(name && { name }),
    ...(partnerCode && { partnerCode }),
    ...(query.contractRank && { contractRank: query.contractRank }),
    ...(query.licenseType && { licenseType: query.licenseType }),
    ...(licenseExpiredOn && { licenseExpiredOn }),
    ...(lastBounceAt && { lastBounceAt }),
  };
}

function toRow(partner: Row) {
  return {
    id: partner.id,
    name: partner.name,
    partnerCode: partner.partnerCode,
    unitId: partner.unitId,
    unitName: partner.unit.name,
    contractRank: partner.contractRank,
    licenseType: partner.licenseType,
    licenseCount: partner.licenseCount,
    licenseExpiredOn: formatNullableDateTime(partner.licenseExpiredOn),
    bounceCount: partner.bounceCount,
    mailCount: partner.mailCount,
    createdAt: formatDateTime(partner.createdAt),
    updatedAt: formatDateTime(partner.updatedAt),
  };
}
