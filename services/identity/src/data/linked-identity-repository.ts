import type { IdentityDb } from './db.ts';
import type { IdentityFlow, LinkedIdentity } from './generated/client.ts';

/** An account at an identity provider. */
export interface ProviderAccount {
  readonly issuer: string;
  readonly subject: string;
}

export async function findLinked(
  db: IdentityDb,
  { issuer, subject }: ProviderAccount,
): Promise<LinkedIdentity | null> {
  return db.linkedIdentity.findUnique({ where: { issuer_subject: { issuer, subject } } });
}

/** One that is linked already stays as it is. */
export async function linkIdentity(
  db: IdentityDb,
  { accountId, issuer, partnerId, subject }: LinkedIdentity,
): Promise<void> {
  await db.linkedIdentity.createMany({
    data: [{ issuer, subject, partnerId, accountId }],
    skipDuplicates: true,
  });
}

export async function unlinkAccounts(db: IdentityDb, accountIds: readonly number[]): Promise<void> {
  await db.linkedIdentity.deleteMany({ where: { accountId: { in: [...accountIds] } } });
}

export async function insertFlow(db: IdentityDb, flow: IdentityFlow): Promise<void> {
  await db.identityFlow.create({ data: flow, select: { stateHash: true } });
}

/** The flow of this state, which is over with it: of several calls one gets it. */
export async function takeFlow(
  db: IdentityDb,
  stateHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<Omit<IdentityFlow, 'stateHash'> | null> {
  const [flow] = await db.$queryRaw<Omit<IdentityFlow, 'stateHash'>[]>`
    DELETE FROM identity_flows WHERE state_hash = ${stateHash} AND expires_at > ${now}
    RETURNING provider, code_verifier AS "codeVerifier", nonce, client_state AS "clientState",
      redirect_url AS "redirectUrl", expires_at AS "expiresAt"`;
  return flow ?? null;
}

export async function forgetOverFlows(db: IdentityDb, now: Date): Promise<void> {
  await db.identityFlow.deleteMany({ where: { expiresAt: { lte: now } } });
}
