import { limits } from '@portal/contracts';
import type { UserDb } from './db.ts';

/** The mails with which people choose their first password. Those of the last hour are kept of each. */

const hour = 3_600_000;
const hourBefore = (now: Date) => new Date(now.getTime() - hour);

interface MailedPerson {
  readonly userId: number;
  readonly name: string;
  readonly email: string;
  readonly generation: number;
}

/** Takes a mail of each who may be sent one. Answers who they are, by id. */
export async function claimSetupMails(
  db: UserDb,
  partnerId: number,
  ids: readonly number[],
  { now, rationed }: { readonly now: Date; readonly rationed: boolean },
): Promise<MailedPerson[]> {
  const since = hourBefore(now);
  const most = rationed ? limits.resetMailsPerHour : null;
  const mailed = await db.$queryRaw<MailedPerson[]>`
    UPDATE accounts SET setup_mail_sent_at = ${now},
      setup_mails = ARRAY(SELECT at FROM unnest(setup_mails) AS at WHERE at > ${since}) || ${now}::timestamptz
    WHERE partner_id = ${partnerId} AND id = ANY(${[...ids]}::integer[]) AND is_user AND active
      AND email IS NOT NULL AND password_hash IS NULL
      AND (${most}::integer IS NULL
        OR (SELECT count(*) FROM unnest(setup_mails) AS at WHERE at > ${since}) < ${most}::integer)
    RETURNING id AS "userId", name, email, generation`;
  return mailed.toSorted((a, b) => a.userId - b.userId);
}

/** Keeps that people were mailed at `at`; with `asked` it is one of those that they may get in an hour. */
export async function keepSetupMails(
  db: UserDb,
  partnerId: number,
  { asked, at, userIds }: { readonly asked: boolean; readonly at: Date; readonly userIds: readonly number[] },
): Promise<void> {
  await db.$executeRaw`
    UPDATE accounts SET setup_mail_sent_at = greatest(setup_mail_sent_at, ${at}::timestamptz),
      setup_mails = CASE WHEN ${asked} THEN
        ARRAY(SELECT earlier FROM unnest(setup_mails) AS earlier WHERE earlier > ${hourBefore(at)}) || ${at}::timestamptz
        ELSE setup_mails END
    WHERE partner_id = ${partnerId} AND id = ANY(${[...userIds]}::integer[]) AND password_hash IS NULL`;
}
