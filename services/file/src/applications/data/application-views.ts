import { type applicationRoutes, foldCase, type PageReply } from '@portal/contracts';
import { inTimeRange, nearerRows, orderedBy, pageReply, searchFor } from '@portal/database';
import { operator } from '@portal/storage';
import type { z } from 'zod';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import {
  joinOpenUpload,
  type OpenUploadRow,
  type OpenUploadView,
  openUploadColumns,
  withOpenUpload,
} from '../../uploads/data/open-upload-views.ts';

type Query = z.output<(typeof applicationRoutes.listApplications)['query']>;

const { sql } = Prisma;

export interface ApplicationView {
  readonly id: number;
  readonly name: string;
  readonly fileName: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly saleType: applicationRoutes.SaleType;
  readonly allDeliverFlag: boolean;
  readonly partners: { readonly id: number; readonly name: string }[];
  readonly partnerCount: number;
  readonly version: number;
  readonly status: 'uploading' | 'published';
  readonly upload: OpenUploadView | null;
  readonly unitId: number | null;
  readonly publisher: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns: Record<Query['orderKey'], Prisma.Sql> = {
  id: sql`file.id`,
  name: sql`file.name`,
  createdAt: sql`file.created_at`,
  updatedAt: sql`file.updated_at`,
};

/** Destinations that the list names of each application. */
const partnersShown = 20;

/** One page of the applications that the scope reaches. */
export async function listApplications(
  db: FileDb,
  query: Query,
): Promise<PageReply & { applications: ApplicationView[] }> {
  const where = Prisma.join(conditionsOf(query), ' AND ');
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM files file WHERE ${where}`;
  const totalCount = counted?.count ?? 0;
  const { reversed, skip, take } = nearerRows(query, totalCount);
  const by = { nullable: false, order: query.order, reversed };
  const search = searchOf(query);
  // In the list from its end what begins with the text comes last.
  const first = search ? sql`${search.first} ${reversed ? sql`ASC` : sql`DESC`},` : Prisma.empty;
  const found = await db.$queryRaw<{ id: number }[]>`
    SELECT file.id FROM files file WHERE ${where}
    ORDER BY ${first} ${orderedBy(columns[query.orderKey], columns.id, by)} LIMIT ${take} OFFSET ${skip}`;
  const ids = found.map(({ id }) => id);
  if (reversed) ids.reverse();
  return { applications: await viewsOf(db, ids, partnersShown), ...pageReply(totalCount, query) };
}

export async function findApplication(db: FileDb, id: number): Promise<ApplicationView | undefined> {
  return (await viewsOf(db, [id], undefined))[0];
}

/** What the search box looks for. */
function searchOf({ q }: Query): ReturnType<typeof searchFor> | undefined {
  if (!q) return undefined;
  return searchFor(foldCase(q), {
    id: columns.id,
    texts: [sql`file.name_folded`, sql`lower(file.file_name)`],
  });
}

/** The tenants that an application names; of a unit's application, those that have left the unit are destinations no more. */
const named = sql`
  destinations destination JOIN partners partner ON partner.partner_id = destination.partner_id
  WHERE destination.file_id = file.id AND destination.removed_in IS NULL AND destination.partner_id <> ${operator}
    AND (file.unit_id IS NULL OR partner.unit_id = file.unit_id)`;
const goesToAll = sql`EXISTS (
  SELECT FROM destinations destination
  WHERE destination.file_id = file.id AND destination.removed_in IS NULL AND destination.partner_id = ${operator})`;

function conditionsOf(query: Query): Prisma.Sql[] {
  const { allDeliverFlag, name, partnerName, saleType, unitId } = query;
  const search = searchOf(query);
  return [
    sql`file.partner_id = ${operator}`,
    sql`file.deleted = false`,
    ...(search ? [search.condition] : []),
    ...(name ? [sql`strpos(file.name_folded, ${foldCase(name)}) > 0`] : []),
    ...(partnerName
      ? [sql`EXISTS (SELECT FROM ${named} AND strpos(partner.name_folded, ${foldCase(partnerName)}) > 0)`]
      : []),
    ...(saleType === undefined ? [] : [sql`file.sale_type = ${saleType}`]),
    ...(unitId === undefined ? [] : [sql`file.unit_id = ${unitId}`]),
    ...(allDeliverFlag === undefined ? [] : [allDeliverFlag ? goesToAll : sql`NOT ${goesToAll}`]),
    ...inTimeRange(sql`file.created_at`, query.createdAtStart, query.createdAtEnd),
    ...inTimeRange(sql`file.updated_at`, query.updatedAtStart, query.updatedAtEnd),
  ];
}

type Row = Omit<ApplicationView, 'fileSize' | 'upload'> & OpenUploadRow & { readonly size: bigint | null };

/** In the order of `ids`. */
async function viewsOf(
  db: FileDb,
  ids: readonly number[],
  partners: number | undefined,
): Promise<ApplicationView[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<Row[]>`
    SELECT file.id, file.name, file.file_name AS "fileName", file.sale_type AS "saleType", file.version,
      file.unit_id AS "unitId", file.publisher, file.created_at AS "createdAt", file.updated_at AS "updatedAt",
      CASE WHEN file.completed_at IS NULL THEN 'uploading' ELSE 'published' END AS status,
      ${goesToAll} AS "allDeliverFlag",
      (SELECT count(*)::integer FROM ${named}) AS "partnerCount",
      ARRAY (SELECT json_build_object('id', partner.partner_id, 'name', coalesce(partner.name, ''))
        FROM ${named} ORDER BY partner.name_folded, partner.partner_id LIMIT ${partners ?? null}::integer) AS partners,
      version.size, ${openUploadColumns}
    FROM files file
    LEFT JOIN LATERAL (
      SELECT size FROM versions version
      WHERE version.partner_id = ${operator} AND version.file_id = file.id
        AND (file.current_version_id IS NULL OR version.id = file.current_version_id)
      ORDER BY version.id DESC LIMIT 1
    ) version ON true
    ${joinOpenUpload(operator)}
    WHERE file.partner_id = ${operator} AND file.deleted = false AND file.id = ANY (${[...ids]}::integer[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { size, ...view } = withOpenUpload(row);
    return [{ ...view, fileSize: Number(size ?? 0) }];
  });
}
