import { formatDateTime, noticeRoutes, type RouteReply } from '@portal/contracts';
import { pageReply } from '@portal/database';
import type { Reader } from '../domain/audience.ts';
import { linkOf, type NoticeContent } from '../domain/notice-link.ts';
import type { MailDb } from './db.ts';
import type { Notice as Row } from './generated/client.ts';
import { ofReader } from './notice-repository.ts';

type Notices = RouteReply<typeof noticeRoutes.listPartnerNotices>;

const readBy = ({ name }: Reader) => ({ reads: { where: { reader: name }, select: { reader: true } } });

/** A page of the notices of a person, newest first, with the number of all that they have not read. */
export async function listNotices(
  db: MailDb,
  reader: Reader,
  paging: { readonly page: number; readonly perPage: number },
): Promise<Notices> {
  const where = ofReader(reader);
  const { page, perPage } = paging;
  const totalCount = await db.notice.count({ where });
  const unreadCount = await db.notice.count({
    where: { ...where, reads: { none: { reader: reader.name } } },
  });
  const rows = await db.notice.findMany({
    where,
    include: readBy(reader),
    orderBy: { id: 'desc' },
    skip: (page - 1) * perPage,
    take: perPage,
  });
  return {
    ...pageReply(totalCount, paging),
    unreadCount,
    notices: rows.map((row) => noticeOf(row, reader)),
  };
}

/** The first notices of a person after the one of id `after`, oldest first. */
export async function noticesAfter(
  db: MailDb,
  reader: Reader,
  after: number,
  take: number,
): Promise<noticeRoutes.Notice[]> {
  const rows = await db.notice.findMany({
    where: { ...ofReader(reader), id: { gt: after } },
    include: readBy(reader),
    orderBy: { id: 'asc' },
    take,
  });
  return rows.map((row) => noticeOf(row, reader));
}

/** The id of the newest notice of a person; 0 without any. */
export async function newestNotice(db: MailDb, reader: Reader): Promise<number> {
  const newest = await db.notice.findFirst({
    where: ofReader(reader),
    select: { id: true },
    orderBy: { id: 'desc' },
  });
  return newest?.id ?? 0;
}

function noticeOf(
  { createdAt, data, id, kind, reads }: Row & { reads: readonly unknown[] },
  { partnerId }: Reader,
): noticeRoutes.Notice {
  // The columns hold nothing but what this service wrote.
  const content = { kind, data } as unknown as NoticeContent;
  return {
    ...content,
    id,
    link: linkOf(partnerId === null ? 'admin' : 'partner', content),
    read: reads.length > 0,
    createdAt: formatDateTime(createdAt),
  };
}
