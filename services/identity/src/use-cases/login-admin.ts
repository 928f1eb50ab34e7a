import type { identityRoutes, RouteInput, RouteReply } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import {
  afterWrongPassword,
  type Call,
  everything,
  isLocked,
  noWrongPasswords,
  type Passwords,
  type Store,
} from '@portal/service-kit';
import { findAdminByEmail, lockAdmin, saveAttempts } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { issueAccessToken } from '../tokens/access-token.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import { startSession } from './start-session.ts';

type Route = typeof identityRoutes.adminLogin;

/**
 * Signs an administrator in. Unknown, wrong and locked are one answer, `E40101`, after the same work.
 * The row decides under its lock, so that many guesses at once are no more than ten.
 */
export async function loginAdmin(
  deps: { store: Store<IdentityDb>; clock: Clock; passwords: Passwords; keyRing: KeyRing },
  { email, password }: RouteInput<Route>['body'],
  { concerns }: Pick<Call, 'concerns'>,
): Promise<RouteReply<Route>> {
  const { clock, keyRing, passwords, store } = deps;
  const known = await store.read(everything, (db) => findAdminByEmail(db, email));
  if (known) concerns({ kind: 'admin', id: known.id, role: known.role, unitId: known.unitId });
  const passwordIsRight = await passwords.matches(known?.passwordHash ?? null, password);

  const signedIn = await store.write(everything, async (tx) => {
    const admin = await lockAdmin(tx.db, known?.id ?? 0);
    if (!admin || admin.passwordHash !== known?.passwordHash) return undefined;
    const now = clock.now();
    if (isLocked(admin, now)) return undefined;
    await saveAttempts(tx.db, admin.id, passwordIsRight ? noWrongPasswords : afterWrongPassword(admin, now));
    if (!passwordIsRight) return undefined;
    const { name, role, unitId } = admin;
    const session = await startSession(
      tx,
      { accountKind: 'admin', client: 'admin', accountId: admin.id, role, unitId, name, email: admin.email },
      now,
    );
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
