import { sessionRoutes } from '@portal/contracts';
import { recordSessionUses } from '@portal/contracts/internal';
import { type Implementation, implement } from '@portal/service-kit';
import { markSessionsUsed } from '../data/session-repository.ts';
import { endOtherSessions, endOwnSession } from '../use-cases/end-own-sessions.ts';
import { endUserSessions } from '../use-cases/end-user-sessions.ts';
import { readPreferences, savePreferences } from '../use-cases/keep-preferences.ts';
import { listSessions } from '../use-cases/list-sessions.ts';

type Dependencies = Parameters<typeof endUserSessions>[0] & Parameters<typeof listSessions>[0];

/** What everybody who signs in to a portal has of their own: their sessions, and preferences. */
export function sessionRoutesOf(deps: Dependencies): Implementation[] {
  return [
    implement([sessionRoutes.listAdminSessions, sessionRoutes.listPartnerSessions], async (_, call) =>
      listSessions(deps, call),
    ),

    implement(
      [sessionRoutes.endAdminSession, sessionRoutes.endPartnerSession],
      async ({ params: { sessionId } }, call) => {
        await endOwnSession(deps, call, sessionId);
        return {};
      },
    ),

    implement(
      [sessionRoutes.endOtherAdminSessions, sessionRoutes.endOtherPartnerSessions],
      async (_, call) => {
        await endOtherSessions(deps, call);
        return {};
      },
    ),

    implement(sessionRoutes.endUserSessions, async ({ params: { pid, id } }) => {
      await endUserSessions(deps, { partnerId: pid, accountId: id });
      return {};
    }),

    implement([sessionRoutes.getAdminPreferences, sessionRoutes.getPartnerPreferences], async (_, call) =>
      readPreferences(deps, call),
    ),

    implement(
      [sessionRoutes.saveAdminPreferences, sessionRoutes.savePartnerPreferences],
      async ({ body }, call) => {
        await savePreferences(deps, call, body);
        return {};
      },
    ),

    implement(recordSessionUses, async ({ body: { at, sessionIds } }, { systemScope }) => {
      await deps.store.write(systemScope('sessions of all tenants are used in a minute'), ({ db }) =>
        markSessionsUsed(db, sessionIds, new Date(at)),
      );
      return {};
    }),
  ];
}
