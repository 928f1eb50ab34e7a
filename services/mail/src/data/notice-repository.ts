import { AppError } from '@portal/kernel';
import { type Audience, audienceName, type Reader } from '../domain/audience.ts';
import type { NoticeContent } from '../domain/notice-link.ts';
import type { MailDb } from './db.ts';
import type { Prisma } from './generated/client.ts';

/** On which `NOTIFY` tells every instance for which audience there is a notice. */
export const noticeChannel = 'notices';

export interface NewNotice {
  readonly audience: Audience;
  /** Who is of the audience, and is not told. */
  readonly except?: Audience;
  readonly partnerId: number | null;
  readonly unitId?: number | undefined;
  readonly content: NoticeContent;
}

/** Keeps a notice; streams hear of it when the transaction has committed. */
export async function insertNotice(db: MailDb, notice: NewNotice, now: Date): Promise<void> {
  const { content, except, partnerId, unitId = null } = notice;
  const audience = audienceName(notice.audience);
  // One after the other until their commits: a stream that has sent a notice would pass over a smaller id that comes later.
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('notices', 0))`;
  await db.notice.create({
    data: {
      partnerId,
      unitId,
      audience,
      except: except ? audienceName(except) : null,
      kind: content.kind,
      data: content.data as Prisma.InputJsonObject,
      createdAt: now,
    },
  });
  await db.$executeRaw`SELECT pg_notify(${noticeChannel}, ${audience})`;
}

/**
 * Marks these notices as read by a person, all of them or none.
 * @throws AppError `E40401` for one that the person does not have
 */
export async function markRead(db: MailDb, reader: Reader, ids: readonly number[]): Promise<void> {
  const { name, partnerId, unitId } = reader;
  const wanted = [...new Set(ids)];
  const own = await db.notice.findMany({
    where: { id: { in: wanted }, ...ofReader(reader) },
    select: { id: true },
  });
  if (own.length < wanted.length) throw new AppError('E40401');
  await db.noticeRead.createMany({
    data: own.map(({ id }) => ({ noticeId: id, reader: name, partnerId, unitId })),
    skipDuplicates: true,
  });
}

/** The notices of a person. */
export const ofReader = ({ audiences, name }: Reader): Prisma.NoticeWhereInput => ({
  audience: { in: [...audiences] },
  OR: [{ except: null }, { except: { not: name } }],
});

/** Marks all notices of a person as read. */
export async function markAllRead(db: MailDb, reader: Reader): Promise<void> {
  const { audiences, name, partnerId, unitId } = reader;
  await db.$executeRaw`
    INSERT INTO notice_reads (notice_id, reader, partner_id, unit_id)
    SELECT id, ${name}, ${partnerId}::integer, ${unitId}::integer FROM notices
    WHERE audience = ANY(${[...audiences]}) AND "except" IS DISTINCT FROM ${name} ON CONFLICT DO NOTHING`;
}

/** Deletes what was for people who are gone, and what they have read. */
export async function forgetReaders(db: MailDb, readers: readonly Audience[]): Promise<void> {
  const names = readers.map(audienceName);
  await db.noticeRead.deleteMany({ where: { reader: { in: names } } });
  await db.notice.deleteMany({ where: { audience: { in: names } } });
}

/** Deletes notices from before `before`, and who has read them. */
export async function forgetNotices(db: MailDb, before: Date): Promise<void> {
  await db.notice.deleteMany({ where: { createdAt: { lt: before } } });
}
