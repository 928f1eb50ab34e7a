import {
  foldCase,
  formatDateTime,
  formatNullableDateTime,
  type RouteInput,
  type RouteReply,
  type tenantRoutes,
} from '@portal/contracts';
import type { findPartner } from '@portal/contracts/internal';
import {
  inTimeRange,
  keptPlan,
  likeContaining,
  nearerRows,
  orderedBy,
  pageReply,
  type RawQueries,
  searchFor,
} from '@portal/database';
import type { z } from 'zod';
import { partnerStateOf } from '../domain/partner-state.ts';
import type { TenantDb } from './db.ts';
import { type ContractRank, type Partner, Prisma, type SignUp } from './generated/client.ts';
import { mailCounts } from './mail-repository.ts';

type Query = RouteInput<typeof tenantRoutes.listPartners>['query'];
type Asked = z.output<typeof tenantRoutes.partnerFilters>;
type Row = Partner & { readonly unit: { readonly name: string } };

const { sql } = Prisma;
const withUnitName = { unit: { select: { name: true } } } as const;

const columns: Record<Query['orderKey'], Prisma.Sql> = {
  id: sql`p.partner_id`,
  name: sql`p.name_key`,
  partnerCode: sql`p.partner_code_key`,
  contractRank: sql`p.contract_rank`,
  licenseType: sql`p.license_type`,
  licenseCount: sql`p.license_count`,
  licenseExpiredOn: sql`p.license_expired_on`,
  bounceCount: sql`p.bounce_count`,
  createdAt: sql`p.created_at`,
};

/** A page of partners, or with `all` the ids and names of every one, as far as the scope reaches. */
export async function listPartners(
  db: TenantDb,
  query: Query,
  now: Date,
): Promise<RouteReply<typeof tenantRoutes.listPartners>> {
  const conditions = partnersAsked(query);
  if (query.all) {
    const partners = await db.$queryRaw<{ id: number; name: string }[]>`
      SELECT p.partner_id AS id, p.name FROM partners p ${whereOf(conditions)}
      ORDER BY ${query.q ? sql`${searchOf(query.q).first} DESC,` : Prisma.empty} p.name_key, p.partner_id`;
    return { partners };
  }
  const { ids, totalCount } = passMany(query)
    ? await pageOfMany(db, query, conditions)
    : await pageOfSome(db, query, conditions);
  const partners = await db.partner.findMany({
    where: { id: { in: [...ids] } },
    include: withUnitName,
  });
  const mails = await mailCounts(db, ids, now);
  const rows = new Map(partners.map((partner) => [partner.id, toRow(partner, mails)]));
  return {
    ...pageReply(totalCount, query),
    partners: ids.flatMap((id) => rows.get(id) ?? []),
  };
}

interface FoundPage {
  readonly totalCount: number;
  readonly ids: readonly number[];
}

/** Whether a large part of all partners passes: filters by rank and licence type alone. */
const passMany = ({ code, name, q, unitId, ...asked }: Asked): boolean =>
  !q &&
  !name &&
  !code &&
  [
    unitId,
    asked.licenseExpiredOnStart,
    asked.licenseExpiredOnEnd,
    asked.createdAtStart,
    asked.createdAtEnd,
    asked.bounceInfoStart,
    asked.bounceInfoEnd,
  ].every((given) => given === undefined);

/** Of many partners, which are found along the index of the order, from the end that is nearer. */
async function pageOfMany(db: TenantDb, query: Query, conditions: readonly Prisma.Sql[]): Promise<FoundPage> {
  const { order, orderKey } = query;
  const where = whereOf(conditions);
  // The numbers of units have the columns of these conditions.
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT coalesce(sum(p.partners), 0)::integer AS count FROM unit_counts p ${where}`;
  const totalCount = counted?.count ?? 0;
  const { reversed, skip, take } = nearerRows(query, totalCount);
  const by = { nullable: orderKey === 'licenseExpiredOn', order, reversed };
  const found = await db.$queryRaw<{ id: number }[]>`
    SELECT p.partner_id AS id FROM partners p ${where}
    ORDER BY ${orderedBy(columns[orderKey], sql`p.partner_id`, by)} OFFSET ${skip} LIMIT ${take}`;
  const ids = found.map(({ id }) => id);
  return { totalCount, ids: reversed ? ids.reverse() : ids };
}

/** Of those that pass: they are looked for once, to be counted and sorted. */
async function pageOfSome(db: TenantDb, query: Query, conditions: readonly Prisma.Sql[]): Promise<FoundPage> {
  const { order, orderKey, page, perPage, q } = query;
  const by = { nullable: orderKey === 'licenseExpiredOn', order, reversed: false };
  // What the search box names first comes first.
  const [first, firstFirst] = q
    ? [sql`, ${searchOf(q).first} AS first`, sql`first DESC,`]
    : [Prisma.empty, Prisma.empty];
  const [found] = await db.$queryRaw<{ count: number; ids: number[] }[]>`
    WITH found AS MATERIALIZED (
      SELECT p.partner_id AS id, ${columns[orderKey]} AS key ${first}
      FROM partners p ${whereOf(conditions)})
    SELECT (SELECT count(*)::integer FROM found) AS count,
      ARRAY(SELECT id FROM found ORDER BY ${firstFirst} ${orderedBy(sql`key`, sql`id`, by)}
        OFFSET ${(page - 1) * perPage} LIMIT ${perPage}) AS ids`;
  return { totalCount: found?.count ?? 0, ids: found?.ids ?? [] };
}

const whereOf = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  conditions.length === 0 ? Prisma.empty : sql`WHERE ${Prisma.join([...conditions], ' AND ')}`;

const searchOf = (q: string) =>
  searchFor(foldCase(q), { id: sql`p.partner_id`, texts: [sql`p.name_key`, sql`p.partner_code_key`] });

/** The same for an export. */
export const wherePartners = (asked: Asked): Prisma.Sql => whereOf(partnersAsked(asked));

/** The conditions on the partner `p`. */
function partnersAsked(asked: Asked): Prisma.Sql[] {
  const { code, contractRank, licenseType, name, q, unitId } = asked;
  return [
    ...(q ? [searchOf(q).condition] : []),
    ...(name ? [sql`p.name_key LIKE ${likeContaining(foldCase(name))}`] : []),
    ...(code ? [sql`p.partner_code_key LIKE ${likeContaining(foldCase(code))}`] : []),
    ...(unitId === undefined ? [] : [sql`p.unit_id = ${unitId}`]),
    ...(contractRank ? [sql`p.contract_rank = ${contractRank}::contract_rank`] : []),
    ...(licenseType ? [sql`p.license_type = ${licenseType}::license_type`] : []),
    ...inTimeRange(sql`p.license_expired_on`, asked.licenseExpiredOnStart, asked.licenseExpiredOnEnd),
    ...inTimeRange(sql`p.created_at`, asked.createdAtStart, asked.createdAtEnd),
    ...bouncedWithin(asked),
  ];
}

/** That one of the mails to its people could not be delivered, within a time. */
function bouncedWithin({ bounceInfoEnd, bounceInfoStart }: Asked): Prisma.Sql[] {
  const within = inTimeRange(sql`b.occurred_at`, bounceInfoStart, bounceInfoEnd);
  if (within.length === 0) return [];
  return [sql`p.partner_id IN (SELECT b.partner_id FROM bounces b WHERE ${Prisma.join(within, ' AND ')})`];
}

/** One partner with all that an administrator may see of it, but for `hasData`; null when there is none. */
export async function partnerDetail(
  db: TenantDb,
  id: number,
  now: Date,
): Promise<Omit<RouteReply<typeof tenantRoutes.getPartner>, 'hasData'> | null> {
  const partner = await db.partner.findUnique({ where: { id }, include: withUnitName });
  const mails = await mailCounts(db, [id], now);
  const signUp = await db.signUp.findUnique({ where: { partnerId: id } });
  return (
    partner && {
      ...toRow(partner, mails),
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
      timeZone: partner.timeZone,
      signUp: signUp && signUpOf(signUp),
    }
  );
}

function signUpOf(signUp: SignUp): NonNullable<RouteReply<typeof tenantRoutes.getPartner>['signUp']> {
  const { email, firstName, lastName, purpose, tel } = signUp;
  return {
    email,
    firstName,
    lastName,
    tel,
    purpose,
    agreedToTermsAt: formatNullableDateTime(signUp.agreedToTermsAt),
    signedUpAt: formatDateTime(signUp.signedUpAt),
    activatedAt: formatNullableDateTime(signUp.activatedAt),
  };
}

/**
 * What another service needs of a partner, by its id or its code ignoring case; null when there is none. By hand: each sign-in
 * begins with it.
 */
export async function partnerForServices(
  db: RawQueries,
  by: RouteInput<typeof findPartner>['body'],
): Promise<RouteReply<typeof findPartner> | null> {
  const isAsked =
    'partnerId' in by
      ? sql`partner_id = ${by.partnerId}`
      : sql`partner_code_key = ${foldCase(by.partnerCode)}`;
  const [partner] = await db.$queryRaw<
    (Parameters<typeof partnerStateOf>[1] & Pick<Partner, 'awaitsActivation' | 'id' | 'json'>)[]
  >`SELECT ${keptPlan} partner_id AS id, revision, unit_id AS "unitId", name, partner_code AS "partnerCode",
      contract_rank AS "contractRank", license_type AS "licenseType", license_count AS "licenseCount",
      license_expired_on AS "licenseExpiredOn", user_device_limit AS "userDeviceLimit", uap_file_limit AS "uapFileLimit",
      file_public_flag AS "filePublicFlag", operation_log_download_flag AS "operationLogDownloadFlag", lang,
      time_zone AS "timeZone", json, awaits_activation AS "awaitsActivation"
    FROM partners WHERE ${isAsked}`;
  if (!partner) return null;
  return {
    ...partnerStateOf(partner.id, partner),
    json: partner.json,
    activated: !partner.awaitsActivation,
  };
}

export async function unitIdOf(db: TenantDb, partnerId: number): Promise<number | undefined> {
  const partner = await db.partner.findUnique({ where: { id: partnerId }, select: { unitId: true } });
  return partner?.unitId;
}

/** The id of the partner with this code, ignoring case. */
export async function idOfCode(db: TenantDb, partnerCode: string): Promise<number | undefined> {
  const partner = await db.partner.findUnique({
    where: { partnerCodeKey: foldCase(partnerCode) },
    select: { id: true },
  });
  return partner?.id;
}

/** What a program may know of the partner with this code, ignoring case; undefined when there is none that is activated. */
export async function licenceOfCode(
  db: TenantDb,
  partnerCode: string,
): Promise<{ contractRank: ContractRank; licenseExpiredOn: Date | null; partnerName: string } | undefined> {
  const partner = await db.partner.findUnique({ where: { partnerCodeKey: foldCase(partnerCode) } });
  if (!partner || partner.awaitsActivation) return undefined;
  const { contractRank, licenseExpiredOn, name } = partner;
  return { contractRank, licenseExpiredOn, partnerName: name };
}

export async function partnerExists(db: TenantDb, id: number): Promise<boolean> {
  return (await db.partner.count({ where: { id } })) > 0;
}

/** Whether a partner has users, groups or files, in its own scope; company admins who are no users do not count. */
export async function hasData(db: TenantDb, partnerId: number): Promise<boolean> {
  const [row] = await db.$queryRaw<{ has: boolean }[]>`
    SELECT EXISTS (SELECT FROM licence_holders WHERE partner_id = ${partnerId} AND kind = 'user')
      OR EXISTS (SELECT FROM partner_groups WHERE partner_id = ${partnerId})
      OR EXISTS (SELECT FROM stored_files WHERE partner_id = ${partnerId}) AS has`;
  return row?.has ?? false;
}

function toRow(partner: Row, mails: ReadonlyMap<number, number>) {
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
    mailCount: mails.get(partner.id) ?? 0,
    createdAt: formatDateTime(partner.createdAt),
    updatedAt: formatDateTime(partner.updatedAt),
  };
}
