import type { SessionOwner } from '../domain/session.ts';
import type { IdentityDb } from './db.ts';
import type { Session } from './generated/client.ts';

interface AccountRef {
  readonly accountKind: 'admin' | 'account';
  readonly accountId: number;
}

export async function insertSession(
  db: IdentityDb,
  session: SessionOwner & { readonly id: string; readonly startedAt: Date; readonly expiresAt: Date },
): Promise<Session> {
  return db.session.create({ data: session });
}

/** Lets a live session that began after `startedAfter` last until `expiresAt`; null when there is none. */
export async function prolongSession(
  db: IdentityDb,
  id: string,
  { expiresAt, startedAfter }: { expiresAt: Date; startedAfter: Date },
): Promise<Session | null> {
  const [session] = await db.session.updateManyAndReturn({
    where: { id, revokedAt: null, startedAt: { gt: startedAfter } },
    data: { expiresAt },
  });
  return session ?? null;
}

/** Whether it has not been ended. Its time is up when its token's is. */
export async function isLiveSession(db: IdentityDb, id: string): Promise<boolean> {
  return (await db.session.count({ where: { id, revokedAt: null } })) > 0;
}

/** A device of an account; with `registration`, as it was registered then and before. */
export interface DeviceRef {
  readonly platformUuid: string;
  readonly registration?: number | undefined;
}

/** Ends live sessions; answers those that this call ended. */
export async function revokeSessions(
  db: IdentityDb,
  which:
    | { readonly id: string }
    | (AccountRef & { readonly except?: string | undefined; readonly device?: DeviceRef }),
  now: Date,
): Promise<Session[]> {
  const where = 'id' in which ? { id: which.id } : ofAccount(which);
  return db.session.updateManyAndReturn({
    where: { ...where, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
  });
}

function ofAccount({
  accountId,
  accountKind,
  device,
  except,
}: AccountRef & { except?: string | undefined; device?: DeviceRef }) {
  return {
    accountKind,
    accountId,
    ...(except !== undefined && { id: { not: except } }),
    ...(device && { platformUuid: device.platformUuid }),
    ...(device?.registration !== undefined && { registration: { lte: device.registration } }),
  };
}

/** Keeps what a statement says of the signed-in person as it is now. */
export async function renameSessions(
  db: IdentityDb,
  accountId: number,
  names: { name: string; email: string | null; loginUserId: string | null },
): Promise<void> {
  await db.session.updateMany({ where: { accountKind: 'account', accountId }, data: names });
}

/** Forgets sessions, and that they were ended, once their tokens are over. */
export async function deleteOverSessions(db: IdentityDb, now: Date): Promise<number> {
  return (await db.session.deleteMany({ where: { expiresAt: { lte: now } } })).count;
}

/** The last number that an ending got. Whatever ends from here on gets a higher one. */
export async function lastEnding(db: IdentityDb): Promise<number> {
  const [row] = await db.$queryRaw<{ last: number }[]>`
    SELECT (CASE WHEN is_called THEN last_value ELSE 0 END)::integer AS last FROM account_endings_ending_seq`;
  return row?.last ?? 0;
}

/** The number of the account's last ending, and the last of all; the account gets no other before the transaction ends. */
export async function lockEnding(
  db: IdentityDb,
  { accountId, partnerId }: { accountId: number; partnerId: number },
): Promise<{ ending: number; lastOfAll: number }> {
  const [row] = await db.$queryRaw<{ ending: number; lastOfAll: number }[]>`
    INSERT INTO account_endings (account_id, partner_id, ending) VALUES (${accountId}, ${partnerId}, 0)
    ON CONFLICT (account_id) DO UPDATE SET ending = account_endings.ending
    RETURNING ending, (
      SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM account_endings_ending_seq)::integer AS "lastOfAll"`;
  if (!row) throw new Error('The row was not returned');
  return row;
}

/** Gives the account a new ending. */
export async function recordEnding(
  db: IdentityDb,
  { accountId, partnerId }: { accountId: number; partnerId: number },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO account_endings (account_id, partner_id) VALUES (${accountId}, ${partnerId})
    ON CONFLICT (account_id) DO UPDATE SET ending = nextval('account_endings_ending_seq')`;
}
