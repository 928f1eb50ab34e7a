import { foldCase, type RouteInput, type RouteReply, type userRoutes } from '@portal/contracts';
import { nearerRows, pageReply, searchFor } from '@portal/database';
import type { UserDb } from './db.ts';
import { Prisma } from './generated/client.ts';
import type { ImportKey } from './import-repository.ts';

type Query = RouteInput<typeof userRoutes.listUserImportChanges>['query'];
type Reply = RouteReply<typeof userRoutes.listUserImportChanges>;

const { sql } = Prisma;

/** A page of what an import does to people, by line; with the search box first those whom it names by what they begin with. */
export async function listImportChanges(
  db: UserDb,
  { id, partnerId }: ImportKey,
  { kind, page, perPage, q }: Omit<Query, 'batchProcessId'>,
): Promise<Reply> {
  const search = q
    ? searchFor(foldCase(q), {
        id: sql`account_id`,
        texts: [sql`name_key`, sql`new_name_key`, sql`login_id_key`],
      })
    : undefined;
  const wanted = sql`FROM import_changes WHERE ${Prisma.join(
    [
      sql`partner_id = ${partnerId} AND import_id = ${id}`,
      ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
      ...(search ? [search.condition] : []),
    ],
    ' AND ',
  )}`;
  const [counted] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::integer AS count ${wanted}`;
  const totalCount = counted?.count ?? 0;
  const { reversed, skip, take } = nearerRows({ page, perPage }, totalCount);
  const order = search
    ? reversed
      ? sql`${search.first}, line DESC`
      : sql`${search.first} DESC, line`
    : reversed
      ? sql`line DESC`
      : sql`line`;
  const rows = await db.$queryRaw<Reply['changes']>`
    SELECT line, kind, account_id AS id, name, login_id AS "loginId", fields ${wanted}
    ORDER BY ${order} OFFSET ${skip} LIMIT ${take}`;
  return { ...pageReply(totalCount, { page, perPage }), changes: reversed ? rows.reverse() : rows };
}
