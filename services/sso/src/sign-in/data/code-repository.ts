import type { SsoDb } from '../../data/db.ts';
import type { SignInCode } from '../../data/generated/client.ts';
import type { LoggedOut } from './sso-session-repository.ts';

export async function insertCode(db: SsoDb, code: SignInCode): Promise<void> {
  await db.signInCode.create({ data: code, select: { partnerId: true } });
}

/** What a code stands for, which is over with it: of several calls one gets it. */
export async function takeCode(
  db: SsoDb,
  codeHash: Buffer<ArrayBuffer>,
  now: Date,
): Promise<Omit<SignInCode, 'codeHash'> | null> {
  const [code] = await db.$queryRaw<Omit<SignInCode, 'codeHash'>[]>`
    DELETE FROM sign_in_codes WHERE code_hash = ${codeHash} AND expires_at > ${now}
    RETURNING partner_id AS "partnerId", account_id AS "accountId", code_challenge AS "codeChallenge",
      name_id AS "nameId", name_id_format AS "nameIdFormat", session_index AS "sessionIndex",
      expires_at AS "expiresAt"`;
  return code ?? null;
}

/** The codes by which a logout's sessions would begin after it. */
export async function deleteCodesOf(
  db: SsoDb,
  { nameId, partnerId, sessionIndexes }: LoggedOut,
): Promise<void> {
  await db.signInCode.deleteMany({
    where: {
      partnerId,
      nameId,
      ...(sessionIndexes.length > 0 && { sessionIndex: { in: [...sessionIndexes] } }),
    },
  });
}
