import {
  endSsoSessions as endSsoSessionsContract,
  openSsoSession as openSsoSessionContract,
} from '@portal/contracts/internal';
import { type Implementation, implement } from '@portal/service-kit';
import { endSsoSessions } from '../use-cases/end-sso-sessions.ts';
import { openSsoSession } from '../use-cases/open-sso-session.ts';

type Dependencies = Parameters<typeof openSsoSession>[0] & Parameters<typeof endSsoSessions>[0];

/** What the sso service asks for people whom identity providers have proved to be who they are. */
export function ssoRoutes(deps: Dependencies): Implementation[] {
  return [
    implement(openSsoSessionContract, async ({ body }) => openSsoSession(deps, body)),

    implement(endSsoSessionsContract, async ({ body }) => {
      await endSsoSessions(deps, body);
      return {};
    }),
  ];
}
