import { formatDateTime, ssoSignInRoutes as routes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { LogoutMessage } from '../../saml/read-logout.ts';
import { requireSso } from '../../settings/use-cases/require-setting.ts';
import { lastSignIns } from '../data/history-repository.ts';
import { findTestOf } from '../data/test-repository.ts';
import { acceptResponse } from '../use-cases/accept-response.ts';
import { beginSignIn, isSsoOn } from '../use-cases/begin-sign-in.ts';
import { beginTest, goToTest } from '../use-cases/begin-test.ts';
import { type AfterLogout, goToLogout, receiveLogout } from '../use-cases/end-sessions.ts';
import { waiting } from '../use-cases/finish-test.ts';
import { redeemCode } from '../use-cases/redeem-code.ts';
import { replyOf } from './outgoing.ts';

const nobodyYet = 'nobody knows yet of which tenant the answer of a provider is';

/** Signing in and out by way of an identity provider, and the test of a setting. */
export function signInRoutes(deps: Dependencies): Implementation[] {
  const { clock, store } = deps;
  return [
    implement(routes.checkSso, async ({ query: { partnerCode } }) => ({
      useSsoFlag: await isSsoOn(deps, partnerCode),
    })),

    implement(routes.beginSso, async ({ query }) => replyOf(await beginSignIn(deps, query))),

    implement(routes.acceptSamlResponse, async ({ body }, call) =>
      acceptResponse(deps, body.SAMLResponse, { ...call, scope: call.systemScope(nobodyYet) }),
    ),

    implement(routes.redeemSsoCode, async ({ body }, call) =>
      redeemCode(deps, body, { ...call, scope: call.systemScope('a code is of no tenant that is known') }),
    ),

    implement(routes.logOutByRedirect, async ({ query: { RelayState } }, call) => {
      const message: LogoutMessage = { kind: 'redirect', query: call.rawQuery };
      const scope = call.systemScope(nobodyYet);
      return afterLogout(await receiveLogout(deps, { message, relayState: RelayState }, scope));
    }),

    implement(routes.logOutByPost, async ({ body: { RelayState, SAMLRequest, SAMLResponse } }, call) => {
      const message = SAMLRequest ?? SAMLResponse;
      if (message === undefined || (SAMLRequest !== undefined && SAMLResponse !== undefined)) {
        throw new AppError('E40037');
      }
      const sent: LogoutMessage = { kind: 'post', message };
      const scope = call.systemScope(nobodyYet);
      return afterLogout(await receiveLogout(deps, { message: sent, relayState: RelayState }, scope));
    }),

    implement(routes.goToSsoLogout, async ({ query: { token } }, { systemScope }) =>
      afterLogout(await goToLogout(deps, token, systemScope('the session has ended already'))),
    ),

    implement([routes.beginSsoTest, routes.beginPartnerSsoTest], async ({ params: { pid } }, { caller }) => {
      const reached = caller.kind === 'admin';
      if (reached) await requireSso(deps, pid);
      return beginTest(deps, { partnerId: pid, sessionId: caller.sessionId, reached });
    }),

    implement(routes.goToSsoTest, async ({ query: { id } }, { systemScope }) =>
      replyOf(await goToTest(deps, id, systemScope('who knows the id of a test has begun it'))),
    ),

    implement(
      [routes.getSsoTest, routes.getPartnerSsoTest],
      async ({ params: { pid, testId } }, { caller }) => {
        if (caller.kind === 'admin') await requireSso(deps, pid);
        const which = { id: testId, partnerId: pid, sessionId: caller.sessionId };
        const test = await store.read(ofPartner(pid), (db) => findTestOf(db, which, clock.now()));
        if (!test) throw new AppError('E40401');
        return test.result === null ? waiting : routes.getSsoTest.response.parse(test.result);
      },
    ),

    implement(
      [routes.listSsoSignIns, routes.listPartnerSsoSignIns],
      async ({ params: { pid } }, { caller }) => {
        if (caller.kind === 'admin') await requireSso(deps, pid);
        const rows = await store.read(ofPartner(pid), (db) => lastSignIns(db, pid));
        return { signIns: rows.map(({ at, ...row }) => ({ at: formatDateTime(at), ...row })) };
      },
    ),
  ];
}

const afterLogout = (after: AfterLogout) => (after.kind === 'page' ? after.url : replyOf(after));
