import { hashOfAnother, noFailedAttempts, type Passwords, refuseGuessable } from '@portal/accounts';
import { identityEvents, type Language } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { AppError, type Clock } from '@portal/kernel';
import { type AdminCaller, concernsRecord, type Seals, type Store } from '@portal/service-kit';
import { findAdminOf, saveAdmin } from '../data/admin-repository.ts';
import { forgetAdminChallenges } from '../data/challenge-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { forgetAdminLink } from '../data/password-link-repository.ts';
import { followAdmin } from '../data/session-repository.ts';
import { hasTwoFactor } from '../data/two-factor-repository.ts';
import {
  allRights,
  type Giver,
  requireMayChange,
  requireMayGive,
  requireNotLowered,
  requireReach,
} from '../domain/admin.ts';
import { ownerOf } from '../domain/owner.ts';
import { endAdminSessions } from './end-sessions.ts';
import { holdAdmin } from './hold-giver.ts';
import { mailAdminPasswordChanged } from './mail-password-changed.ts';

/** What is absent stays; an empty password is absent. */
interface AdminChanges {
  readonly name?: string | undefined;
  readonly role?: number | undefined;
  readonly password?: string | null | undefined;
}

/**
 * Changes an administrator of a unit, or with null of the platform. Another role is in force at once, in every token. A new
 * password lifts a lock of wrong ones, ends their sessions but the caller's own, and a mail tells them.
 * Throws what the rules of `domain/admin.ts` and `holdAdmin` refuse, `E40002` on `password` when it is the same as now, or guessable,
 * `E40102` for one's own when it was changed meanwhile.
 */
export async function updateAdmin(
  deps: {
    store: Store<IdentityDb>;
    clock: Clock;
    passwords: Passwords;
    seals: Seals;
    waitUntilRevoked: () => Promise<void>;
  },
  {
    caller,
    language,
    scope,
  }: { readonly caller: AdminCaller; readonly language: Language; readonly scope: Scope },
  which: { readonly adminId: number; readonly unitId: number | null },
  changes: AdminChanges,
): Promise<void> {
  const { clock, passwords, seals, store, waitUntilRevoked } = deps;
  const { adminId, unitId } = which;
  requireReach(caller, unitId);
  const found = await store.read(scope, (db) => findAdminOf(db, which));
  if (!found) throw new AppError('E40401');
  requireChange(found, changes, caller);
  const newHash = await newPasswordHash(passwords, found, changes);

  await store.write(scope, async (tx) => {
    const now = clock.now();
    const { role: wanted } = changes;
    const takesAll = wanted !== undefined && wanted !== allRights;
    const { admin, giver } = await holdAdmin(tx.db, caller, { ...which, takesAll });
    requireChange(admin, changes, giver);
    const isSelf = adminId === caller.adminId;
    // Their own password, changed elsewhere while this one was hashed: that ended the session of the call.
    if (isSelf && newHash !== null && admin.passwordHash !== found.passwordHash) throw new AppError('E40102');
    // As with a change of the own password: of who has two factors it takes no wrong codes back.
    const keepsAttempts = isSelf && (await hasTwoFactor(tx.db, ownerOf({ kind: 'admin', adminId, unitId })));
    const { name = admin.name, role = admin.role } = changes;
    const saved = await saveAdmin(
      tx.db,
      adminId,
      {
        name,
        role,
        ...(role !== admin.role && { roleChangedAt: now }),
        ...(newHash !== null && { passwordHash: newHash, ...(!keepsAttempts && noFailedAttempts) }),
      },
      now,
    );
    await followAdmin(tx.db, saved);
    concernsRecord(saved);
    tx.outbox.append(identityEvents.adminUpdated, {
      subject: adminId,
      partnerId: null,
      data: { adminId, revision: saved.revision, name, email: saved.email, role, unitId },
    });
    if (newHash === null) return;
    await forgetAdminLink(tx.db, adminId);
    await forgetAdminChallenges(tx.db, adminId);
    await endAdminSessions(tx, { adminId, ...(isSelf && { except: caller.sessionId }) }, now);
    mailAdminPasswordChanged(tx, seals, saved, language);
  });
  await waitUntilRevoked();
}

function requireChange(
  admin: { readonly id: number; readonly role: number; readonly unitId: number | null },
  { role }: AdminChanges,
  giver: Giver,
): void {
  requireMayChange(admin, giver);
  if (role === undefined) return;
  requireMayGive({ role, unitId: admin.unitId }, giver);
  requireNotLowered(admin, role, giver);
}

/** Before the transaction, since a hash takes longer than all of it. */
async function newPasswordHash(
  passwords: Passwords,
  admin: { readonly name: string; readonly email: string; readonly passwordHash: string },
  { name = admin.name, password }: AdminChanges,
): Promise<string | null> {
  if (!password) return null;
  refuseGuessable(password, { name, email: admin.email });
  return hashOfAnother(passwords, admin.passwordHash, password);
}
