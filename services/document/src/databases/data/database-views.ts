import { type databaseRoutes, formatDateTime, type RouteInput, type RouteReply } from '@portal/contracts';
import { likeContaining, nearerRows, orderedBy, pageReply } from '@portal/database';
import type { DocumentDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { isDatabaseContractStatus, quotaOf } from '../domain/contract.ts';
import type { Database } from './database-repository.ts';

type Query = RouteInput<typeof databaseRoutes.listDatabases>['query'];
type Row = RouteReply<typeof databaseRoutes.updateDatabase>;

/** How a database is shown: what its contract allows, and its key for those who may see it. */
export interface Shown {
  readonly contractedQuota: number;
  readonly keyIn: (database: Pick<Database, 'apiKey' | 'partnerId'>) => string;
}

/** What everybody of its tenant sees of a database, and other services are told. */
export function databaseFields(database: Omit<Database, 'apiKey' | 'keyHash'>, contractedQuota: number) {
  const { contractStatus, documentCount, expireDate, name, partnerId, startDate, usageBytes } = database;
  if (!isDatabaseContractStatus(contractStatus)) throw new Error(`No status: ${contractStatus}`);
  return {
    partnerId,
    db: name,
    contractStatus,
    startDate: formatDateTime(startDate),
    expireDate: formatDateTime(expireDate),
    usageBytes: Number(usageBytes),
    documentCount: Number(documentCount),
    quotaBytes: quotaOf(contractStatus, contractedQuota),
  };
}

const toRow = (database: Database, partnerName: string, { contractedQuota, keyIn }: Shown): Row => ({
  ...databaseFields(database, contractedQuota),
  partnerName,
  apiKey: keyIn(database),
});

export async function databaseRow(db: DocumentDb, partnerId: number, shown: Shown): Promise<Row | undefined> {
  const database = await db.database.findUnique({ where: { partnerId } });
  if (!database) return undefined;
  const partner = await db.partner.findUnique({ where: { partnerId }, select: { name: true } });
  return toRow(database, partner?.name ?? '', shown);
}

const columns = {
  partnerId: Prisma.sql`d.partner_id`,
  partnerName: Prisma.sql`p.name`,
  expireDate: Prisma.sql`d.expire_date`,
  usageBytes: Prisma.sql`d.usage_bytes`,
} satisfies Record<Query['orderKey'], Prisma.Sql>;

/** In the scope of an administrator: those of the partners that they can see. */
export async function listDatabases(
  db: DocumentDb,
  query: Query,
  shown: Shown,
): Promise<RouteReply<typeof databaseRoutes.listDatabases>> {
  const { contractStatus, order, orderKey, partnerName } = query;
  const conditions = [
    ...(contractStatus === undefined ? [] : [Prisma.sql`d.contract_status = ${contractStatus}`]),
    ...(partnerName === undefined ? [] : [Prisma.sql`p.name ILIKE ${likeContaining(partnerName)}`]),
  ];
  const from = Prisma.sql`FROM databases d JOIN partners p USING (partner_id)
    ${conditions.length > 0 ? Prisma.sql`WHERE ${Prisma.join(conditions, ' AND ')}` : Prisma.empty}`;
  const [counted] = await db.$queryRaw<{ count: bigint }[]>`SELECT count(*) ${from}`;
  const totalCount = Number(counted?.count ?? 0);
  const { reversed, skip, take } = nearerRows(query, totalCount);
  const page = await db.$queryRaw<{ partnerId: number; partnerName: string }[]>`
    SELECT d.partner_id AS "partnerId", p.name AS "partnerName" ${from}
    ORDER BY ${orderedBy(columns[orderKey], columns.partnerId, { order, reversed, nullable: false })}
    OFFSET ${skip} LIMIT ${take}`;
  if (reversed) page.reverse();
  const found = await db.database.findMany({
    where: { partnerId: { in: page.map(({ partnerId }) => partnerId) } },
  });
  const byPartner = new Map(found.map((database) => [database.partnerId, database]));
  return {
    ...pageReply(totalCount, query),
    databases: page.flatMap(({ partnerId, partnerName }) => {
      const database = byPartner.get(partnerId);
      return database ? [toRow(database, partnerName, shown)] : [];
    }),
  };
}
