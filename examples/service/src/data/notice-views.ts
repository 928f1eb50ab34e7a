import {
  foldCase,
  formatDateTime,
  formatNullableDateTime,
  type RouteInput,
  type RouteReply,
} from '@portal/contracts';
import { contains, listPage, pageReply } from '@portal/database';
import type { noticeRoutes } from '../../contracts/index.ts';
import type { NoticeFields } from '../domain/notice.ts';
import type { NoticeDb } from './db.ts';
import type { Notice, Prisma } from './generated/client.ts';

type Query = RouteInput<typeof noticeRoutes.listNotices>['query'];
type Row = RouteReply<typeof noticeRoutes.getNotice>;

export async function listNotices(
  db: NoticeDb,
  partnerId: number,
  query: Query,
): Promise<RouteReply<typeof noticeRoutes.listNotices>> {
  const name = contains(query.name === undefined ? undefined : foldCase(query.name));
  const where: Prisma.NoticeWhereInput = { partnerId, ...(name && { nameKey: name }) };
  const totalCount = await db.notice.count({ where });
  const orderKey = query.orderKey === 'name' ? 'nameKey' : query.orderKey;
  const notices = await db.notice.findMany({ where, ...listPage({ ...query, orderKey }) });
  return { ...pageReply(totalCount, query), notices: notices.map(toRow) };
}

export async function noticeDetail(db: NoticeDb, partnerId: number, id: number): Promise<Row | undefined> {
  const notice = await db.notice.findUnique({ where: { partnerId_id: { partnerId, id } } });
  return notice ? toRow(notice) : undefined;
}

/** Undefined for a notice without a document, too. */
export async function noticeDocument(
  db: NoticeDb,
  partnerId: number,
  id: number,
): Promise<{ value: Record<string, unknown>; version: string } | undefined> {
  const { document = null, documentVersion } =
    (await db.notice.findUnique({ where: { partnerId_id: { partnerId, id } } })) ?? {};
  if (document === null) return undefined;
  return { value: JSON.parse(document), version: String(documentVersion) };
}

/** At most `take` notices in the order of their ids, from behind the id `after`. */
export async function noticesAfter(
  db: NoticeDb,
  partnerId: number,
  { after, take }: { after: number; take: number },
): Promise<(NoticeFields & { readonly id: number })[]> {
  return db.notice.findMany({
    where: { partnerId, id: { gt: after } },
    orderBy: { id: 'asc' },
    select: { id: true, name: true, text: true },
    take,
  });
}

function toRow({ createdAt, id, name, publishedAt, text, updatedAt }: Notice): Row {
  return {
    id,
    name,
    text,
    publishedAt: formatNullableDateTime(publishedAt),
    createdAt: formatDateTime(createdAt),
    updatedAt: formatDateTime(updatedAt),
  };
}
