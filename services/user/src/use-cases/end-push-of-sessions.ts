import type { EventData, identityEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import { clearPushOfSessions } from '../data/push-repository.ts';
import { publishPushEnded } from './tell-push.ts';

/** Push notifications do not reach the devices any more whose sessions have ended. */
export async function endPushOfSessions(
  { db, outbox }: Transaction<UserDb>,
  partnerId: number,
  sessions: readonly EventData<typeof identityEvents.sessionRevoked>[],
): Promise<void> {
  const players = sessions.flatMap(({ device, sessionId }) => (device ? [{ ...device, sessionId }] : []));
  if (players.length === 0) return;
  for (const device of await clearPushOfSessions(db, partnerId, players)) {
    publishPushEnded(outbox, partnerId, device);
  }
}
