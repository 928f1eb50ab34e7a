import { identityEvents } from '@portal/contracts';
import { newId } from '@portal/kernel';
import type { DirectTransaction } from '@portal/service-kit';
import type { Session } from '../data/generated/client.ts';
import { insertSession } from '../data/session-repository.ts';
import { type Client, type SessionOwner, tokenExpiry } from '../domain/session.ts';

const longest = 500;

/** Stores a sign-in that was found right, and tells of it. */
export async function startSession(
  { db, outbox }: DirectTransaction,
  owner: SessionOwner,
  { address, agent }: Client,
  now: Date,
): Promise<Session> {
  const session = await insertSession(db, {
    ...owner,
    agent: agent.slice(0, longest),
    address: address.slice(0, longest),
    id: newId(),
    startedAt: now,
    expiresAt: tokenExpiry(now),
  });
  outbox.append(identityEvents.sessionStarted, {
    subject: session.id,
    partnerId: session.partnerId,
    data: {
      sessionId: session.id,
      accountKind: session.accountKind,
      accountId: session.accountId,
      client: session.client,
      platformUuid: session.platformUuid,
      at: now.toISOString(),
    },
  });
  return session;
}
