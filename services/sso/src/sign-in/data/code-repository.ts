import { randomBytes } from 'node:crypto';
import type { SsoDb } from '../../data/db.ts';
import type { SignInCode } from '../../data/generated/client.ts';
import type { LoggedOut } from './sso-session-repository.ts';

export async function insertCode(db: SsoDb, code: SignInCode): Promise<void> {
  await db.signInCode.create({ data: code, select: { partnerId: true } });
}

/**
 * What a code stands for, which is over with it: of several calls one gets it. Its row stays under another hash, which is that of no code,
 * until its session is stored: a logout that comes meanwhile takes it away.
 */
export async function takeCode(
  db: SsoDb,
  codeHash: Buffer<ArrayBuffer>,
  now: Date,
): Promise<SignInCode | null> {
  const [code] = await db.$queryRaw<SignInCode[]>`
    UPDATE sign_in_codes SET code_hash = ${randomBytes(32)} WHERE code_hash = ${codeHash} AND expires_at > ${now}
    RETURNING code_hash AS "codeHash", partner_id AS "partnerId", account_id AS "accountId",
      code_challenge AS "codeChallenge", name_id AS "nameId", name_id_format AS "nameIdFormat",
      session_index AS "sessionIndex", expires_at AS "expiresAt"`;
  return code ?? null;
}

/** Forgets a code that was taken. False where a logout has come meanwhile. */
export async function endCode(
  db: SsoDb,
  { codeHash, partnerId }: Pick<SignInCode, 'codeHash' | 'partnerId'>,
): Promise<boolean> {
  return (await db.signInCode.deleteMany({ where: { codeHash, partnerId } })).count > 0;
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
