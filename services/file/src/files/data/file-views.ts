import type { fileRoutes, Language, PageReply } from '@portal/contracts';
import { keptPlan, nearerRows, orderedBy, pageReply, type RawQueries } from '@portal/database';
import { operator } from '@portal/storage';
import type { z } from 'zod';
import { deliveryType, filesOf, findFilesOf, offeredTo } from '../../applications/data/reach.ts';
import { everyone } from '../../assignments/domain/everyone.ts';
import { Prisma } from '../../data/generated/client.ts';
import {
  type DeliverySummary,
  deliverySummaries,
  noDelivery,
  type ReachedVersion,
} from '../../receipts/data/delivery-numbers.ts';
import { plansOf } from '../../rollouts/data/rollout-repository.ts';
import { stagedNumbers } from '../../rollouts/data/staged-numbers.ts';
import { isPlain } from '../../rollouts/domain/plan.ts';
import {
  joinOpenUpload,
  type OpenUploadRow,
  type OpenUploadView,
  openUploadColumns,
  withOpenUpload,
} from '../../uploads/data/open-upload-views.ts';
import { statusOnTheWire, type VersionStatus } from '../../uploads/domain/upload.ts';
import { isFiltered, searchOf, whereFiles } from './file-filters.ts';
import { fileState } from './file-states.ts';

export type FileListQuery = z.output<(typeof fileRoutes.listFiles)['query']>;

/** One row of the file list, as it is at a moment. */
export interface FileView {
  readonly id: number;
  readonly name: string;
  readonly note: string;
  readonly fileName: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly version: number;
  readonly sha256: string | null;
  readonly uploadStatus: 'uploading' | 'complete' | 'aborted';
  readonly state: fileRoutes.FileState;
  /** The newest that is not complete. */
  readonly upload: OpenUploadView | null;
  readonly deliverReservationAt: Date | null;
  readonly updateReservationAt: Date | null;
  readonly groups: readonly { id: number; name: string }[];
  /** Whether the operator publishes it. */
  readonly application: boolean;
  readonly saleType: 1 | 2 | null;
  /** The name of the unit that publishes it. */
  readonly publisher: string | null;
  readonly objectKey: string | null;
  readonly iconKey: string | null;
  readonly delivery: DeliverySummary;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const orderColumns: Record<FileListQuery['orderKey'], Prisma.Sql> = {
  id: Prisma.sql`file.id`,
  name: Prisma.sql`file.name`,
  fileName: Prisma.sql`file.file_name`,
  createdAt: Prisma.sql`file.created_at`,
  updatedAt: Prisma.sql`file.updated_at`,
  deliverReservationAt: Prisma.sql`file.deliver_reservation_at`,
  updateReservationAt: Prisma.sql`file.update_reservation_at`,
};

const nullable: readonly FileListQuery['orderKey'][] = ['deliverReservationAt', 'updateReservationAt'];

/** The reserved version from its time on, and the current one before. */
export const effectiveVersionId = (now: Date | Prisma.Sql) => Prisma.sql`
  CASE WHEN file.reserved_version_id IS NOT NULL AND file.update_reservation_at <= ${now}
    THEN file.reserved_version_id ELSE file.current_version_id END`;

export const effectiveVersion = (now: Date | Prisma.Sql) => Prisma.sql`
  file.version + CASE WHEN file.reserved_version_id IS NOT NULL AND file.update_reservation_at <= ${now}
    THEN 1 ELSE 0 END`;

/** When the file was changed last, a reserved update that took effect included. */
export const effectiveUpdatedAt = (now: Date) => Prisma.sql`
  GREATEST(file.updated_at, CASE WHEN file.reserved_version_id IS NOT NULL AND file.update_reservation_at <= ${now}
    THEN file.update_reservation_at END)`;

/** One page of a tenant's files. */
export async function listFileViews(
  db: RawQueries,
  partnerId: number,
  query: FileListQuery,
  context: { now: Date; language: Language },
): Promise<PageReply & { files: FileView[] }> {
  const counts = await countFiles(db, partnerId);
  const files = filesOf(partnerId, { applications: counts.offered > 0 });
  if (!isFiltered(query)) {
    const totalCount = counts.own + counts.offered;
    const views = await viewsOf(db, partnerId, plainPage(files, totalCount, query), context);
    return { files: [...views.values()], ...pageReply(totalCount, query) };
  }
  const found = await filteredPage(db, files, whereFiles(partnerId, query, context.now), query);
  const views = await viewsOf(db, partnerId, { files, ids: arrayOf(found.ids) }, context);
  return {
    files: found.ids.flatMap((id) => views.get(id) ?? []),
    ...pageReply(found.totalCount, query),
  };
}

/** The files of a tenant itself, as a trigger counts them, and the applications among its files. */
async function countFiles(db: RawQueries, partnerId: number): Promise<{ own: number; offered: number }> {
  const [counts] = await db.$queryRaw<{ own: number; offered: number }[]>`
    SELECT ${keptPlan} (SELECT coalesce(sum(files), 0)::integer FROM file_tallies WHERE partner_id = ${partnerId}) AS own,
      cardinality(${offeredTo(partnerId)}) AS offered`;
  return counts ?? { own: 0, offered: 0 };
}

/** Files to be shown. */
interface Shown {
  /** What `file` is read from: `filesOf`. */
  readonly files: Prisma.Sql;
  /** The ids, an array. */
  readonly ids: Prisma.Sql;
  readonly order?: Prisma.Sql;
}

const arrayOf = (ids: readonly number[]) => Prisma.sql`${[...ids]}::integer[]`;

/** Without filters the count is known, and an index has the order: skipping reads nothing but that. */
function plainPage(files: Prisma.Sql, totalCount: number, query: FileListQuery): Shown {
  const { reversed, skip, take } = nearerRows(query, totalCount);
  const ids = Prisma.sql`
    ARRAY(SELECT file.id FROM ${files} file ORDER BY ${ordering(query, reversed)} LIMIT ${take} OFFSET ${skip})`;
  return { files, ids, order: ordering(query, false) };
}

/** With filters every row is looked at, so once has to do for the count and the page. */
async function filteredPage(
  db: RawQueries,
  files: Prisma.Sql,
  where: Prisma.Sql,
  query: FileListQuery,
): Promise<{ readonly ids: number[]; readonly totalCount: number }> {
  const { page, perPage } = query;
  const [found] = await db.$queryRaw<{ count: number; ids: number[] }[]>`
    WITH hit AS MATERIALIZED (
      SELECT file.id, ${orderColumns[query.orderKey]} AS sort_key, ${beginsFirst(query)} AS first
      FROM ${files} file WHERE ${where}
    )
    SELECT (SELECT count(*)::integer FROM hit) AS count, ARRAY (
      SELECT hit.id FROM hit ORDER BY hit.first DESC, ${ordering(query, false, Prisma.sql`hit.sort_key`, Prisma.sql`hit.id`)}
      LIMIT ${perPage} OFFSET ${(page - 1) * perPage}
    ) AS ids`;
  return { ids: found?.ids ?? [], totalCount: found?.count ?? 0 };
}

/** Every file of a tenant that the filters let pass, for pickers. */
export async function listAllFiles(
  db: RawQueries,
  partnerId: number,
  query: FileListQuery,
  now: Date,
): Promise<{ id: number; name: string; iconKey: string | null }[]> {
  const files = await findFilesOf(db, partnerId);
  return db.$queryRaw<{ id: number; name: string; iconKey: string | null }[]>`
    SELECT file.id, file.name, version.icon_key AS "iconKey"
    FROM ${files} file LEFT JOIN versions version ON version.id = ${effectiveVersionId(now)}
    WHERE ${whereFiles(partnerId, query, now)} ORDER BY CASE WHEN ${beginsFirst(query)} THEN 0 ELSE 1 END, ${ordering(query, false)}`;
}

export async function findFileView(
  db: RawQueries,
  partnerId: number,
  id: number,
  context: { now: Date; language: Language },
): Promise<FileView | undefined> {
  const files = filesOf(partnerId, { applications: true });
  return (await viewsOf(db, partnerId, { files, ids: arrayOf([id]) }, context)).get(id);
}

interface Row extends Omit<FileView, 'delivery' | 'fileSize' | 'upload' | 'uploadStatus'>, OpenUploadRow {
  readonly size: bigint | null;
  readonly status: VersionStatus;
  readonly complete: boolean;
  readonly isStaged: boolean;
}

/** By their ids, in the order that is asked for. A file without a complete version shows the upload that is to become it. */
async function viewsOf(
  db: RawQueries,
  partnerId: number,
  { files, ids, order = orderColumns.id }: Shown,
  { language, now }: { now: Date; language: Language },
): Promise<Map<number, FileView>> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT ${keptPlan} file.id, file.name, file.note, file.file_name AS "fileName",
      ${effectiveVersion(now)} AS version, ${effectiveUpdatedAt(now)} AS "updatedAt",
      file.created_at AS "createdAt", file.deliver_reservation_at AS "deliverReservationAt",
      file.update_reservation_at AS "updateReservationAt", file.current_version_id IS NOT NULL AS complete,
      version.size, version.sha256, version.status, version.icon_key AS "iconKey",
      CASE WHEN version.status = 'complete' THEN version.object_key END AS "objectKey",
      file.partner_id = ${operator} AS application, file.sale_type AS "saleType", file.publisher,
      CASE WHEN file.sale_type = ${deliveryType} THEN ARRAY[json_build_object('id', ${everyone}::integer, 'name', '')] ELSE ARRAY (
        SELECT json_build_object('id', assignment.group_id, 'name', coalesce(team.name, ''))
        FROM assignments assignment LEFT JOIN groups team ON team.group_id = assignment.group_id
        WHERE assignment.partner_id = ${partnerId} AND assignment.file_id = file.id
          AND assignment.removed_in IS NULL
        ORDER BY assignment.group_id
      ) END AS groups,
      ${fileState(now)} AS state, file.is_staged AS "isStaged", ${openUploadColumns}
    FROM ${files} file
    JOIN LATERAL (
      SELECT * FROM versions version
      WHERE version.partner_id = file.partner_id AND version.file_id = file.id
        AND (file.current_version_id IS NULL OR version.id = ${effectiveVersionId(now)})
      ORDER BY version.id DESC LIMIT 1
    ) version ON true
    ${joinOpenUpload(partnerId)}
    WHERE file.id = ANY(${ids}) ORDER BY ${order}`;
  const reached = rows.filter(isDelivered).map((row) => ({
    fileId: row.id,
    isStaged: row.isStaged,
    version: row.version,
    groupIds: row.groups.map((group) => group.id),
  }));
  const summaries = await summariesOf(db, partnerId, reached, now);
  return new Map(
    rows.map((row) => {
      const { complete, groups, isStaged: _, size, status, ...view } = withOpenUpload(row);
      return [
        row.id,
        {
          ...view,
          fileSize: Number(size ?? 0),
          delivery: summaries.get(row.id) ?? noDelivery,
          uploadStatus: complete ? 'complete' : statusOnTheWire(status),
          groups: groups.map((group) => nameEveryone(group, language)),
        },
      ];
    }),
  );
}

/** Of files whose versions go out in stages, of the devices that the current one has reached. */
async function summariesOf(
  db: RawQueries,
  partnerId: number,
  reached: readonly (ReachedVersion & { readonly isStaged: boolean })[],
  now: Date,
): Promise<Map<number, DeliverySummary>> {
  const everStaged = reached.filter((one) => one.isStaged).map(({ fileId }) => fileId);
  const plans = await plansOf(db, partnerId, everStaged, now);
  const isStaged = ({ fileId }: ReachedVersion) => {
    const plan = plans.get(fileId);
    return plan !== undefined && !isPlain(plan);
  };
  const summaries = await deliverySummaries(
    db,
    partnerId,
    reached.filter((one) => !isStaged(one)),
  );
  for (const { fileId, groupIds, version } of reached.filter(isStaged)) {
    const plan = plans.get(fileId);
    if (plan)
      summaries.set(fileId, (await stagedNumbers(db, plan, [[{ partnerId, groupIds }]])).summary(0, version));
  }
  return summaries;
}

/** Whether somebody is to have the current version now. */
export const isDelivered = ({ state }: Pick<FileView, 'state'>): boolean =>
  state === 'delivered' || state === 'update_reserved';

export const everyoneName: Record<Language, string> = { ja: '全員', en: 'Everyone' };

/** The group of everyone, which no row has a name of, in the words of the caller. */
export function nameEveryone<G extends { readonly id: number; readonly name: string }>(
  group: G,
  language: Language,
): G {
  return group.id === everyone ? { ...group, name: everyoneName[language] } : group;
}

/** Whether a row comes before those that do not begin with what is looked for. */
const beginsFirst = (query: FileListQuery) => searchOf(query)?.first ?? Prisma.sql`true`;

/** `reversed` is the same list from its end. */
function ordering(
  { order, orderKey }: FileListQuery,
  reversed: boolean,
  column = orderColumns[orderKey],
  id = orderColumns.id,
): Prisma.Sql {
  return orderedBy(column, id, { nullable: nullable.includes(orderKey), order, reversed });
}
