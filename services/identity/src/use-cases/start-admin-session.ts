import type { identityRoutes, RouteReply } from '@portal/contracts';
import type { Call, Seals, Transaction } from '@portal/service-kit';
import { markSignedIn } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import type { Admin, Session } from '../data/generated/client.ts';
import { deviceOf } from '../domain/device.ts';
import { issueAccessToken } from '../tokens/access-token.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import { noticeDevice } from './notice-device.ts';
import { startSession } from './start-session.ts';

/** Stores the sign-in of an administrator, and tells them of one from a new device. */
export async function startAdminSession(
  tx: Transaction<IdentityDb>,
  seals: Seals,
  {
    admin,
    call,
    twoFactorSetup,
  }: {
    readonly admin: Admin;
    readonly call: Pick<Call, 'address' | 'agent' | 'language'>;
    readonly twoFactorSetup: boolean;
  },
  now: Date,
): Promise<Session> {
  const { email, id: accountId, name, revision: generation, role, unitId } = admin;
  const owner = {
    accountKind: 'admin',
    client: 'admin',
    accountId,
    role,
    generation,
    unitId,
    name,
    email,
  } as const;
  const session = await startSession(tx, { ...owner, twoFactorSetup }, call, now);
  await markSignedIn(tx.db, accountId, now);
  const { language } = call;
  const noticed = { accountKind: 'admin', accountId, partnerId: null, name, email, language } as const;
  await noticeDevice(tx, seals, noticed, deviceOf(call), now);
  return session;
}

/** What a sign-in of an administrator answers. */
export async function adminReply(
  keyRing: KeyRing,
  { admin, session }: { readonly admin: Admin; readonly session: Session },
): Promise<RouteReply<typeof identityRoutes.adminLogin>> {
  return {
    ...(await issueAccessToken(keyRing, session)),
    twoFactorSetup: session.twoFactorSetup,
    outsourcingFlag: admin.unitId !== null,
    unitId: admin.unitId,
    name: admin.name,
    email: admin.email,
    role: admin.role,
  };
}
