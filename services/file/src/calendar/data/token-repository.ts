import type { FileDb } from '../../data/db.ts';
import type { CalendarToken } from '../../data/generated/client.ts';

interface Holder {
  readonly partnerId: number;
  readonly accountId: number;
}

/** Takes the place of the one that they had. */
export async function saveToken(
  db: FileDb,
  { accountId, partnerId }: Holder,
  { hash, now }: { readonly hash: Buffer<ArrayBuffer>; readonly now: Date },
): Promise<void> {
  const made = { hash, createdAt: now, lastUsedAt: null };
  await db.calendarToken.upsert({
    where: { partnerId_accountId: { partnerId, accountId } },
    create: { partnerId, accountId, ...made },
    update: made,
  });
}

export async function findTokenOf(
  db: FileDb,
  { accountId, partnerId }: Holder,
): Promise<Pick<CalendarToken, 'createdAt' | 'lastUsedAt'> | null> {
  return db.calendarToken.findUnique({ where: { partnerId_accountId: { partnerId, accountId } } });
}

export async function findTokenByHash(
  db: FileDb,
  partnerId: number,
  hash: Buffer<ArrayBuffer>,
): Promise<Pick<CalendarToken, 'accountId' | 'lastUsedAt'> | null> {
  return db.calendarToken.findFirst({ where: { partnerId, hash } });
}

/** Whether they had one. */
export async function deleteTokenOf(db: FileDb, { accountId, partnerId }: Holder): Promise<boolean> {
  const { count } = await db.calendarToken.deleteMany({ where: { partnerId, accountId } });
  return count > 0;
}

/** Of people who may see the calendar no more, of whatever tenants the transaction is for. */
export async function deleteTokensOf(db: FileDb, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  await db.$executeRaw`DELETE FROM calendar_tokens WHERE account_id = ANY(${[...accountIds]}::integer[])`;
}

/** What another instance has noted for this minute stays. */
export async function noteTokenUse(
  db: FileDb,
  partnerId: number,
  hash: Buffer<ArrayBuffer>,
  minute: Date,
): Promise<void> {
  await db.$executeRaw`
    UPDATE calendar_tokens SET last_used_at = ${minute}
    WHERE partner_id = ${partnerId} AND hash = ${hash} AND (last_used_at IS NULL OR last_used_at < ${minute})`;
}
