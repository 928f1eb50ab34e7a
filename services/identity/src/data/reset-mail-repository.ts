import { limits } from '@portal/contracts';
import type { IdentityDb } from './db.ts';
import type { LinkOwner } from './password-link-repository.ts';

const hour = 3_600_000;
const hourBefore = (now: Date) => new Date(now.getTime() - hour);

/**
 * Takes a mail of those that each of the owners may be sent in an hour; answers who has one: without `rationed` each has. Each is
 * named once.
 */
export async function consumeResetMailQuota<Owner extends LinkOwner>(
  db: IdentityDb,
  owners: readonly Owner[],
  { now, rationed }: { readonly now: Date; readonly rationed: boolean },
): Promise<Owner[]> {
  const since = hourBefore(now);
  const most = rationed ? limits.resetMailsPerHour : null;
  const rows = owners.map(({ accountId, accountKind, partnerId }) => ({
    kind: accountKind,
    id: accountId,
    partner: partnerId,
  }));
  const taken = await db.$queryRaw<{ owner: string }[]>`
    INSERT INTO reset_mails AS known (account_kind, account_id, partner_id, sent_at)
    SELECT kind::account_kind, id, partner, ARRAY[${now}::timestamptz]
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS owner (kind text, id integer, partner integer)
    ORDER BY kind, id
    ON CONFLICT (account_kind, account_id) DO UPDATE
    SET sent_at = ARRAY(SELECT at FROM unnest(known.sent_at) AS at WHERE at > ${since}) || EXCLUDED.sent_at
    WHERE ${most}::integer IS NULL
      OR (SELECT count(*) FROM unnest(known.sent_at) AS at WHERE at > ${since}) < ${most}::integer
    RETURNING account_kind || ' ' || account_id AS owner`;
  const allowed = new Set(taken.map(({ owner }) => owner));
  return owners.filter(({ accountId, accountKind }) => allowed.has(`${accountKind} ${accountId}`));
}

/** Forgets the mails of whom none counts any more. */
export async function forgetResetMails(db: IdentityDb, now: Date): Promise<void> {
  await db.$executeRaw`DELETE FROM reset_mails WHERE NOT (${hourBefore(now)} < ANY (sent_at))`;
}
