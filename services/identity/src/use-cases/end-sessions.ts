import { identityEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import type { Session } from '../data/generated/client.ts';
import { type DeviceRef, recordEnding, revokeSessions } from '../data/session-repository.ts';

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
  const account = { accountKind: 'admin', accountId: adminId } as const;
  tellRevoked(tx, await revokeSessions(tx.db, { ...account, except }, now));
}

/** Ends every session of a person of a tenant, but for `except`, and every sign-in of theirs that is under way. */
export async function endAccountSessions(
  tx: Transaction<IdentityDb>,
  { accountId, except, partnerId }: { accountId: number; partnerId: number; except?: string },
  now: Date,
): Promise<void> {
  await recordEnding(tx.db, { accountId, partnerId });
  tellRevoked(tx, await revokeSessions(tx.db, { accountKind: 'account', accountId, except }, now));
}

/**
 * Ends the sessions of a person of a tenant on a device that was removed, and every sign-in of theirs that is under way: it
 * begins anew. Sessions of a later registration of the device go on.
 */
export async function endDeviceSessions(
  tx: Transaction<IdentityDb>,
  { accountId, device, partnerId }: { accountId: number; partnerId: number; device: DeviceRef },
  now: Date,
): Promise<void> {
  await recordEnding(tx.db, { accountId, partnerId });
  tellRevoked(tx, await revokeSessions(tx.db, { accountKind: 'account', accountId, device }, now));
}

function tellRevoked({ outbox }: Transaction<IdentityDb>, sessions: readonly Session[]): void {
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
