import {
  formatDateTime,
  type RouteInput,
  type RouteReply,
  tenantEvents,
  type tenantRoutes,
} from '@portal/contracts';
import { inTimeRange, nearerRows, orderedBy, pageReply } from '@portal/database';
import type { LicenceTerms } from '../domain/licence-terms.ts';
import type { TenantDb } from './db.ts';
import { Prisma } from './generated/client.ts';

type Query = RouteInput<typeof tenantRoutes.listLicenceChanges>['query'];
export type AskedLicenceChanges = Pick<Query, 'changedAtEnd' | 'changedAtStart' | 'partnerId'>;

export interface StoredLicenceChange {
  readonly id: number;
  readonly partnerId: number;
  readonly partnerName: string;
  readonly changedBy: string;
  readonly before: LicenceTerms | null;
  readonly after: LicenceTerms;
  readonly changedAt: Date;
}

const { sql } = Prisma;
const { licenceTerms } = tenantEvents;

/** An administrator of whom nothing was known then is called by their present address, or by their id. */
const columns = sql`
  c.id, c.partner_id AS "partnerId", c.partner_name AS "partnerName",
  coalesce(c.changed_by, a.email, '#' || c.admin_id, '') AS "changedBy",
  c.before, c.after, c.changed_at AS "changedAt"`;
const tables = sql`licence_changes c LEFT JOIN admins a ON a.admin_id = c.admin_id`;

/** A page of changes of licences, as far as the scope reaches. */
export async function listLicenceChanges(
  db: TenantDb,
  query: Query,
): Promise<RouteReply<typeof tenantRoutes.listLicenceChanges>> {
  const where = changesAsked(query);
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM licence_changes c WHERE ${where}`;
  const totalCount = counted?.count ?? 0;
  const { reversed, skip, take } = nearerRows(query, totalCount);
  const by = { nullable: false, order: query.order, reversed };
  const found = await db.$queryRaw<StoredLicenceChange[]>`
    SELECT ${columns} FROM ${tables} WHERE ${where}
    ORDER BY ${orderedBy(sql`c.changed_at`, sql`c.id`, by)} OFFSET ${skip} LIMIT ${take}`;
  const changes = (reversed ? found.reverse() : found).map(read);
  return {
    ...pageReply(totalCount, query),
    licenseUpdatedLogs: changes.map((change) => ({ ...change, changedAt: formatDateTime(change.changedAt) })),
  };
}

/** At most `take` of the changes that are asked for, newest first, from behind `after`. */
export async function licenceChangesAfter(
  db: TenantDb,
  asked: AskedLicenceChanges,
  { after, take }: { after: StoredLicenceChange | null; take: number },
): Promise<StoredLicenceChange[]> {
  const older = after ? sql`AND (c.changed_at, c.id) < (${after.changedAt}, ${after.id})` : Prisma.empty;
  const changes = await db.$queryRaw<StoredLicenceChange[]>`
    SELECT ${columns} FROM ${tables} WHERE ${changesAsked(asked)} ${older}
    ORDER BY c.changed_at DESC, c.id DESC LIMIT ${take}`;
  return changes.map(read);
}

function changesAsked({ changedAtEnd, changedAtStart, partnerId }: AskedLicenceChanges): Prisma.Sql {
  const conditions = [
    sql`true`,
    ...(partnerId === undefined ? [] : [sql`c.partner_id = ${partnerId}`]),
    ...inTimeRange(sql`c.changed_at`, changedAtStart, changedAtEnd),
  ];
  return Prisma.join(conditions, ' AND ');
}

/** The database keeps what changed as JSON. */
function read(change: StoredLicenceChange): StoredLicenceChange {
  return {
    ...change,
    before: licenceTerms.nullable().parse(change.before),
    after: licenceTerms.parse(change.after),
  };
}
