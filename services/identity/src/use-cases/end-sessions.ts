import { identityEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import {
  type EndedSession,
  type Ending,
  recordEndings,
  revokePeopleSessions,
  revokeSessions,
} from '../data/session-repository.ts';

/** Ends one session. */
export async function endSession(tx: Transaction<IdentityDb>, id: string, now: Date): Promise<void> {
  tellRevoked(tx, await revokeSessions(tx.db, { id }, now));
}

/** Ends every session of an administrator, but for `except`. */
export async function endAdminSessions(
  tx: Transaction<IdentityDb>,
  { adminId, except }: { adminId: number; except?: string },
  now: Date,
): Promise<void> {
  tellRevoked(tx, await revokeSessions(tx.db, { adminId, except }, now));
}

/** Ends sessions of people of tenants, and every sign-in of theirs that is under way: it begins anew. */
export async function endPeopleSessions(
  tx: Transaction<IdentityDb>,
  endings: readonly Ending[],
  now: Date,
): Promise<void> {
  await recordEndings(tx.db, endings);
  tellRevoked(tx, await revokePeopleSessions(tx.db, endings, now));
}

function tellRevoked({ outbox }: Transaction<IdentityDb>, sessions: readonly EndedSession[]): void {
  for (const session of sessions) {
    outbox.append(identityEvents.sessionRevoked, {
      subject: session.id,
      partnerId: session.partnerId,
      data: {
        sessionId: session.id,
        accountKind: session.accountKind,
        accountId: session.accountId,
        expiresAt: session.expiresAt.toISOString(),
      },
    });
  }
}
