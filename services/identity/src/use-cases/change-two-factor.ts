import type { Language } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import type { Seals, Transaction } from '@portal/service-kit';
import { lockAdmin } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import type { Session, TwoFactor } from '../data/generated/client.ts';
import { isTwoFactorRequired } from '../data/security-settings-repository.ts';
import { isLiveSession, liftSetup } from '../data/session-repository.ts';
import { findSession } from '../data/session-views.ts';
import {
  disableTwoFactor,
  enableTwoFactor,
  hasTwoFactor,
  replaceRecoveryCodes,
} from '../data/two-factor-repository.ts';
import { ownerOf } from '../domain/owner.ts';
import { hashOfRecoveryCode, newRecoveryCodes } from '../tokens/recovery-code.ts';
import { endOtherSessionsOf } from './end-sessions.ts';
import { type CodeDependencies, requireCode, type Self } from './require-code.ts';
import { tellTwoFactor } from './tell-two-factor.ts';

type Dependencies = CodeDependencies & {
  readonly seals: Seals;
  readonly waitUntilRevoked: () => Promise<void>;
};
type Caller = Self & { readonly language: Language };

const isOn = ({ enabledAt }: TwoFactor) => enabledAt !== null;

/**
 * Turns two factors on by a code of the secret that was made last, ends the other sessions of the caller, and tells them by mail.
 * Answers the recovery codes. Throws `E40034` where there is no such secret, and what `requireCode` does.
 */
export async function turnTwoFactorOn(deps: Dependencies, self: Caller, code: string): Promise<string[]> {
  const owner = ownerOf(self.caller);
  const { secret } = await requireCode(deps, self, code, {
    fits: (known) => known.secret !== null && !isOn(known),
    takes: 'app',
  });
  if (!secret) throw new Error('A code of no secret was right');
  const codes = newRecoveryCodes();
  await change(deps, self, async (tx, session, now) => {
    const revision = await enableTwoFactor(tx.db, owner, secret, now);
    if (revision === null) throw new AppError('E40034');
    await replaceRecoveryCodes(tx.db, owner, codes.map(hashOfRecoveryCode));
    await liftSetup(tx.db, self.caller.sessionId);
    tellTwoFactor(tx, deps.seals, owner, { revision, template: 'twoFactorOn', to: letterTo(self, session) });
  });
  return codes;
}

/**
 * Turns two factors off by a code, ends the other sessions of the caller, and tells them by mail. Throws `E40034` where they are
 * off or required, and what `requireCode` does.
 */
export async function turnTwoFactorOff(deps: Dependencies, self: Caller, code: string): Promise<void> {
  const owner = ownerOf(self.caller);
  const required = await deps.store.read(self.scope, (db) => isTwoFactorRequired(db, owner.partnerId));
  if (required) throw new AppError('E40034');
  await requireCode(deps, self, code, { fits: isOn, takes: 'any' });
  await change(deps, self, async (tx, session) => {
    const revision = await disableTwoFactor(tx.db, owner);
    if (revision === null) throw new AppError('E40034');
    tellTwoFactor(tx, deps.seals, owner, { revision, template: 'twoFactorOff', to: letterTo(self, session) });
  });
}

/** Replaces the recovery codes by a code. Throws `E40034` where two factors are off, and what `requireCode` does. */
export async function renewRecoveryCodes(deps: Dependencies, self: Self, code: string): Promise<string[]> {
  const owner = ownerOf(self.caller);
  await requireCode(deps, self, code, { fits: isOn, takes: 'any' });
  const codes = newRecoveryCodes();
  await deps.store.write(self.scope, async ({ db }) => {
    if (!(await hasTwoFactor(db, owner))) throw new AppError('E40034');
    await replaceRecoveryCodes(db, owner, codes.map(hashOfRecoveryCode));
  });
  return codes;
}

/** Makes a change that no sign-in of the caller may overtake, and ends their other sessions. */
async function change(
  { clock, store, waitUntilRevoked }: Dependencies,
  { caller, scope }: Self,
  work: (tx: Transaction<IdentityDb>, session: Session, now: Date) => Promise<void>,
): Promise<void> {
  await store.write(scope, async (tx) => {
    const now = clock.now();
    // A sign-in of an administrator holds the row, that of a person of a tenant looks for the ending.
    if (caller.kind === 'admin') await lockAdmin(tx.db, caller.adminId);
    await endOtherSessionsOf(tx, caller, now);
    const session = await findSession(tx.db, caller.sessionId);
    // Ended meanwhile by another.
    if (!session || !(await isLiveSession(tx.db, caller.sessionId))) throw new AppError('E40102');
    await work(tx, session, now);
  });
  await waitUntilRevoked();
}

/** An administrator reads the language of the call, others that of their tenant. */
function letterTo({ caller, language }: Caller, { email, name }: Session) {
  return { email, name, language: caller.kind === 'admin' ? language : null };
}
