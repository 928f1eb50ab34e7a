import { formatDateTime, type RouteReply, type sessionRoutes } from '@portal/contracts';
import type { Scope } from '@portal/database';
import type { Clock } from '@portal/kernel';
import type { Caller, Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { liveSessionsOf } from '../data/session-views.ts';
import { agentInWords } from '../domain/device.ts';
import { ownerOf } from '../domain/owner.ts';

/** The sessions of the caller that have not ended: this one, then the others by their last use. */
export async function listSessions(
  { clock, store }: { store: Store<IdentityDb>; clock: Clock },
  { caller, scope }: { readonly caller: Caller; readonly scope: Scope },
): Promise<RouteReply<typeof sessionRoutes.listAdminSessions>> {
  const sessions = await store.read(scope, (db) => liveSessionsOf(db, ownerOf(caller), clock.now()));
  const rank = ({ id }: { id: string }) => (id === caller.sessionId ? 0 : 1);
  return {
    sessions: sessions
      .sort((a, b) => rank(a) - rank(b) || b.lastUsedAt.getTime() - a.lastUsedAt.getTime())
      .map(({ address, agent, client, id, lastUsedAt, startedAt }) => ({
        id,
        current: id === caller.sessionId,
        kind: client === 'player' ? 'player' : 'portal',
        agent: agentInWords(agent),
        address,
        createdAt: formatDateTime(startedAt),
        lastUsedAt: formatDateTime(lastUsedAt),
      })),
  };
}
