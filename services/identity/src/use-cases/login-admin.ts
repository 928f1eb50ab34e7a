import type { identityRoutes, RouteInput, RouteReply } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import { type Call, everything, type Passwords, type Seals, type Store } from '@portal/service-kit';
import { findAdminByEmail, settleTry } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { deviceOf } from '../domain/device.ts';
import { issueAccessToken } from '../tokens/access-token.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import { noticeDevice } from './notice-device.ts';
import { startSession } from './start-session.ts';

type Route = typeof identityRoutes.adminLogin;

/** Signs an administrator in. Unknown, wrong and locked are one answer, `E40101`, after the same work. */
export async function loginAdmin(
  deps: {
    store: Store<IdentityDb>;
    clock: Clock;
    passwords: Passwords;
    keyRing: KeyRing;
    seals: Seals;
  },
  { email, password }: RouteInput<Route>['body'],
  call: Pick<Call, 'address' | 'agent' | 'concerns' | 'language'>,
): Promise<RouteReply<Route>> {
  const { clock, keyRing, passwords, seals, store } = deps;
  const known = await store.read(everything, (db) => findAdminByEmail(db, email));
  if (known) call.concerns({ kind: 'admin', id: known.id, role: known.role, unitId: known.unitId });
  const passwordIsRight = await passwords.matches(known?.passwordHash ?? null, password);

  const signedIn = await store.write(everything, async (tx) => {
    const now = clock.now();
    const admin = await settleTry(tx.db, known, { right: passwordIsRight, now, login: email });
    if (!admin) return undefined;
    const { name, role, unitId } = admin;
    const session = await startSession(
      tx,
      { accountKind: 'admin', client: 'admin', accountId: admin.id, role, unitId, name, email: admin.email },
      now,
    );
    const { language } = call;
    const owner = {
      accountKind: 'admin',
      accountId: admin.id,
      partnerId: null,
      name,
      email: admin.email,
      language,
    } as const;
    await noticeDevice(tx, seals, owner, deviceOf(call), now);
    return { admin, session };
  });
  if (!signedIn) throw new AppError('E40101');

  const { admin, session } = signedIn;
  return {
    ...(await issueAccessToken(keyRing, session)),
    outsourcingFlag: admin.unitId !== null,
    unitId: admin.unitId,
    name: admin.name,
    email: admin.email,
    role: admin.role,
  };
}
