import type { SsoDb } from '../../data/db.ts';

/** Sign-ins of a tenant that are kept. */
const mostKept = 50;

interface Outcome {
  readonly partnerId: number;
  readonly at: Date;
  /** Who it was, as the provider says; null where that is not known. */
  readonly identifier: string | null;
  /** Why it was refused; null: it was not. */
  readonly reason: string | null;
}

/** Keeps what came of a sign-in, and in the setting what came of the last. Forgets those not among the last of the tenant. */
export async function keepOutcome(db: SsoDb, { at, identifier, partnerId, reason }: Outcome): Promise<void> {
  await db.signIn.create({ data: { partnerId, at, identifier, reason }, select: { id: true } });
  if (reason === null) {
    await db.setting.updateMany({ where: { partnerId }, data: { lastLoginAt: at } });
  } else {
    await db.setting.updateMany({
      where: { partnerId },
      data: { lastErrorAt: at, lastErrorReason: reason },
    });
  }
  await db.$executeRaw`
    DELETE FROM sign_ins WHERE id IN (
      SELECT id FROM sign_ins WHERE partner_id = ${partnerId} ORDER BY id DESC OFFSET ${mostKept})`;
}

/** The last sign-ins of a partner, the newest first. */
export async function lastSignIns(db: SsoDb, partnerId: number): Promise<Omit<Outcome, 'partnerId'>[]> {
  return db.signIn.findMany({
    where: { partnerId },
    orderBy: { id: 'desc' },
    take: mostKept,
    select: { at: true, identifier: true, reason: true },
  });
}

const mostAtOnce = 10_000;

/** Forgets what waited for its time and is over. Answers how many rows it was at most of one kind. */
export async function forgetOver(db: SsoDb, now: Date): Promise<number> {
  const counts = [
    await db.$executeRaw`DELETE FROM saml_requests WHERE id IN (
      SELECT id FROM saml_requests WHERE expires_at <= ${now} LIMIT ${mostAtOnce})`,
    await db.$executeRaw`DELETE FROM sign_in_codes WHERE code_hash IN (
      SELECT code_hash FROM sign_in_codes WHERE expires_at <= ${now} LIMIT ${mostAtOnce})`,
    await db.$executeRaw`DELETE FROM seen_messages WHERE (partner_id, message_hash) IN (
      SELECT partner_id, message_hash FROM seen_messages WHERE expires_at <= ${now} LIMIT ${mostAtOnce})`,
    await db.$executeRaw`DELETE FROM sso_sessions WHERE session_id IN (
      SELECT session_id FROM sso_sessions WHERE ends_at <= ${now} LIMIT ${mostAtOnce})`,
    await db.$executeRaw`DELETE FROM setting_tests WHERE id IN (
      SELECT id FROM setting_tests WHERE expires_at <= ${now} LIMIT ${mostAtOnce})`,
  ];
  return Math.max(...counts);
}
