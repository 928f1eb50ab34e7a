import type { UserDb } from './db.ts';
import type { Account, FileNotice } from './generated/client.ts';

/** Group 0: every user of the tenant. */
const everyone = 0;

/** Stores a notice for the users of these groups. A notice in progress starts over. */
export async function keepFileNotices(
  db: UserDb,
  {
    groupIds,
    ...notice
  }: Pick<FileNotice, 'fileId' | 'fileName' | 'partnerId' | 'turnAt'> & { groupIds: readonly number[] },
): Promise<void> {
  const { fileId, partnerId } = notice;
  await db.fileNotice.deleteMany({ where: { partnerId, fileId, groupId: { in: [...groupIds] } } });
  await db.fileNotice.createMany({ data: groupIds.map((groupId) => ({ ...notice, groupId })) });
}

/** Deletes the notices of a deleted file, and the record of who was mailed. */
export async function forgetFileNotices(db: UserDb, partnerId: number, fileId: number): Promise<void> {
  await db.fileNotice.deleteMany({ where: { partnerId, fileId } });
  await db.fileMail.deleteMany({ where: { partnerId, fileId } });
}

/** Takes the notice of all tenants that waits longest, for the rest of the transaction. */
export async function takeFileNotice(db: UserDb): Promise<FileNotice | null> {
  const [found] = await db.$queryRaw<FileNotice[]>`
    SELECT partner_id AS "partnerId", file_id AS "fileId", group_id AS "groupId", file_name AS "fileName", told,
      turn_at AS "turnAt"
    FROM file_notices ORDER BY turn_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
  return found ?? null;
}

const mailed = { id: true, name: true, email: true, active: true } as const;

/** These users of a tenant. */
export async function findPeople(
  db: UserDb,
  partnerId: number,
  userIds: readonly number[],
): Promise<Pick<Account, 'active' | 'email' | 'id' | 'name'>[]> {
  return db.account.findMany({
    where: { partnerId, isUser: true, id: { in: [...userIds] } },
    orderBy: { id: 'asc' },
    select: mailed,
  });
}

/** The next users of the group of a notice, by their ids. */
export async function nextPeople(
  db: UserDb,
  { groupId, partnerId, told }: FileNotice,
  take: number,
): Promise<Pick<Account, 'active' | 'email' | 'id' | 'name'>[]> {
  if (groupId === everyone) {
    return db.account.findMany({
      where: { partnerId, isUser: true, active: true, id: { gt: told } },
      orderBy: { id: 'asc' },
      select: mailed,
      take,
    });
  }
  const members = await db.membership.findMany({
    where: { partnerId, groupId, accountId: { gt: told } },
    orderBy: { accountId: 'asc' },
    select: { account: { select: mailed } },
    take,
  });
  return members.map(({ account }) => account);
}

/** Remembers who gets the mail about a file. Answers those who had not got it before. */
export async function claimFileMails(
  db: UserDb,
  { fileId, partnerId }: Pick<FileNotice, 'fileId' | 'partnerId'>,
  accountIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const claimed = await db.fileMail.createManyAndReturn({
    data: accountIds.map((accountId) => ({ partnerId, fileId, accountId })),
    skipDuplicates: true,
    select: { accountId: true },
  });
  return new Set(claimed.map(({ accountId }) => accountId));
}

/** The users up to `told` have been mailed; null: all of them. */
export async function passFileNotice(
  db: UserDb,
  { fileId, groupId, partnerId }: FileNotice,
  told: number | null,
  turnAt: Date,
): Promise<void> {
  const where = { partnerId_fileId_groupId: { partnerId, fileId, groupId } };
  if (told === null) await db.fileNotice.delete({ where });
  else await db.fileNotice.update({ where, data: { told, turnAt } });
}
