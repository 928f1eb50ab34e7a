import type { Passwords } from '@portal/accounts';
import type { RouteReply, twoFactorRoutes } from '@portal/contracts';
import { checkAccountPassword } from '@portal/contracts/internal';
import { AppError, fieldError } from '@portal/kernel';
import { findAdmin, recordLoginAttempt } from '../data/admin-repository.ts';
import { findSession } from '../data/session-views.ts';
import { hasTwoFactor, replaceSecret, sealedFor } from '../data/two-factor-repository.ts';
import { ownerOf } from '../domain/owner.ts';
import { newTotpSecret, otpauthUrl } from '../tokens/totp.ts';
import type { CodeDependencies, Self } from './require-code.ts';

/**
 * Makes a secret in the place of one that was not confirmed. Throws `E40034` where two factors are on, `E40002` on `password` for
 * a wrong one, which counts as a wrong sign-in, and for any of a locked account.
 */
export async function beginTwoFactor(
  deps: CodeDependencies & { readonly passwords: Passwords },
  self: Self & { readonly address: string },
  password: string,
): Promise<RouteReply<typeof twoFactorRoutes.beginAdminTwoFactor>> {
  const { cipher, store } = deps;
  const { caller, scope } = self;
  const owner = ownerOf(caller);
  const { isOn, session } = await store.read(scope, async (db) => ({
    isOn: await hasTwoFactor(db, owner),
    session: await findSession(db, caller.sessionId),
  }));
  if (isOn) throw new AppError('E40034');
  if (!session) throw new AppError('E40102');
  await requirePassword(deps, self, password);
  const secret = newTotpSecret();
  const kept = await store.write(scope, ({ db }) =>
    replaceSecret(db, owner, cipher.seal(secret, sealedFor(owner))),
  );
  if (!kept) throw new AppError('E40034');
  return { secret, otpauthUrl: otpauthUrl(secret, session.email ?? session.loginUserId ?? session.name) };
}

async function requirePassword(
  { clock, passwords, peers, store }: Parameters<typeof beginTwoFactor>[0],
  { address: clientAddress, caller, scope }: Parameters<typeof beginTwoFactor>[1],
  password: string,
): Promise<void> {
  if (caller.kind === 'tenant') {
    const { accountId: id, partnerId } = caller;
    await peers.call(checkAccountPassword, { params: { id }, body: { partnerId, password, clientAddress } });
    return;
  }
  const admin = await store.read(scope, (db) => findAdmin(db, caller.adminId));
  if (!admin) throw new AppError('E40102');
  const right = await passwords.matches(admin.passwordHash, password);
  const admitted = await store.write(scope, ({ db }) =>
    recordLoginAttempt(db, admin, { right, now: clock.now(), login: admin.email }),
  );
  if (!admitted) throw fieldError('E40002', 'password', 'wrongCurrentPassword');
}
