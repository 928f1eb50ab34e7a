import { foldCase } from '@portal/contracts';
import { isUniqueViolation } from '@portal/database';
import { AppError, fieldError } from '@portal/kernel';
import { leaseQueue } from '@portal/service-kit';
import type { NoticeFields } from '../domain/notice.ts';
import type { NoticeDb } from './db.ts';
import type { Notice } from './generated/client.ts';

/** The notices to publish; a task has the id of its notice. */
export const publishQueue = leaseQueue<null>('publish-notices');

interface NoticeKey {
  readonly partnerId: number;
  readonly id: number;
}

/** Throws `E40029` on the name when another notice of the partner has it. */
export async function insertNotice(
  db: NoticeDb,
  partnerId: number,
  fields: NoticeFields,
  now: Date,
): Promise<Notice> {
  return uniqueName(async () => db.notice.create({ data: rowOf(partnerId, fields, now) }));
}

/** Passes over names that the partner's notices have already. Answers how many it has inserted. */
export async function insertNotices(
  db: NoticeDb,
  partnerId: number,
  notices: readonly NoticeFields[],
  now: Date,
): Promise<number> {
  const data = notices.map((fields) => rowOf(partnerId, fields, now));
  return (await db.notice.createMany({ data, skipDuplicates: true })).count;
}

/** Holds the notice until the transaction ends. Throws `E40401` for one that the partner does not have. */
export async function lockNotice(db: NoticeDb, { id, partnerId }: NoticeKey): Promise<Notice> {
  await db.$queryRaw`SELECT 1 FROM notices WHERE partner_id = ${partnerId} AND id = ${id} FOR UPDATE`;
  const notice = await db.notice.findUnique({ where: { partnerId_id: { partnerId, id } } });
  if (!notice) throw new AppError('E40401');
  return notice;
}

/** Throws `E40029` on the name when another notice of the partner has it. */
export async function saveNotice(
  db: NoticeDb,
  { id, partnerId }: NoticeKey,
  fields: NoticeFields,
  now: Date,
): Promise<void> {
  await uniqueName(async () =>
    db.notice.update({
      where: { partnerId_id: { partnerId, id } },
      data: { ...fields, nameKey: foldCase(fields.name), updatedAt: now },
    }),
  );
}

export async function saveDocument(
  db: NoticeDb,
  { id, partnerId }: NoticeKey,
  document: { readonly text: string; readonly version: number },
): Promise<void> {
  await db.notice.update({
    where: { partnerId_id: { partnerId, id } },
    data: { document: document.text, documentVersion: document.version },
  });
}

export async function savePublication(
  db: NoticeDb,
  { id, partnerId }: NoticeKey,
  publishedAt: Date,
): Promise<void> {
  await db.notice.update({ where: { partnerId_id: { partnerId, id } }, data: { publishedAt } });
}

export async function deleteNoticeRow(db: NoticeDb, { id, partnerId }: NoticeKey): Promise<void> {
  await db.notice.delete({ where: { partnerId_id: { partnerId, id } } });
}

function rowOf(partnerId: number, fields: NoticeFields, now: Date) {
  return { partnerId, ...fields, nameKey: foldCase(fields.name), createdAt: now, updatedAt: now };
}

async function uniqueName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error, 'notices_partner_id_name_key_key')) {
      throw fieldError('E40029', 'name', 'notUnique');
    }
    throw error;
  }
}
