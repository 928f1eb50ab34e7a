import { identityEvents } from '@portal/contracts';
import type { Caller, Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import {
  type EndedSession,
  type Ending,
  recordEndings,
  revokePartnerSessions,
  revokePeopleSessions,
  revokeSessions,
} from '../data/session-repository.ts';
import type { Owner } from '../domain/owner.ts';

/** Ends one session. */
export async function endSession(tx: Transaction<IdentityDb>, id: string, now: Date): Promise<void> {
  tellRevoked(tx, await revokeSessions(tx.db, { id }, now));
}

/** Ends one session if it is of `owner` and has not ended; tells whether it did. */
export async function endSessionOf(
  tx: Transaction<IdentityDb>,
  owner: Owner,
  id: string,
  now: Date,
): Promise<boolean> {
  const ended = await revokeSessions(tx.db, { id, owner }, now);
  tellRevoked(tx, ended);
  return ended.length > 0;
}

/** Ends every session of an administrator, but for `except`. */
export async function endAdminSessions(
  tx: Transaction<IdentityDb>,
  { adminId, except }: { adminId: number; except?: string },
  now: Date,
): Promise<void> {
  tellRevoked(tx, await revokeSessions(tx.db, { adminId, except }, now));
}

/** Revokes sessions of users of tenants; their sign-ins that are in progress start again. */
export async function endPeopleSessions(
  tx: Transaction<IdentityDb>,
  endings: readonly Ending[],
  now: Date,
): Promise<void> {
  await recordEndings(tx.db, endings);
  tellRevoked(tx, await revokePeopleSessions(tx.db, endings, now));
}

/** Ends every session of a person but the one that they call in, and whatever sign-in of theirs is under way. */
export async function endOtherSessionsOf(
  tx: Transaction<IdentityDb>,
  caller: Caller,
  now: Date,
): Promise<void> {
  const { sessionId } = caller;
  if (caller.kind === 'admin')
    return endAdminSessions(tx, { adminId: caller.adminId, except: sessionId }, now);
  const { accountId, partnerId } = caller;
  return endPeopleSessions(tx, [{ accountId, partnerId, keptSessionId: sessionId }], now);
}

/** Ends some of the sessions of a partner that is gone. Answers how many. */
export async function endPartnerSessions(
  tx: Transaction<IdentityDb>,
  some: { readonly partnerId: number; readonly most: number; readonly now: Date },
): Promise<number> {
  const ended = await revokePartnerSessions(tx.db, some);
  tellRevoked(tx, ended);
  return ended.length;
}

function tellRevoked({ outbox }: Transaction<IdentityDb>, sessions: readonly EndedSession[]): void {
  for (const { platformUuid: uuid, registration, ...session } of sessions) {
    outbox.append(identityEvents.sessionRevoked, {
      subject: session.id,
      partnerId: session.partnerId,
      data: {
        sessionId: session.id,
        accountKind: session.accountKind,
        accountId: session.accountId,
        expiresAt: session.expiresAt.toISOString(),
        ...(uuid !== null && { device: { uuid, registration } }),
      },
    });
  }
}
