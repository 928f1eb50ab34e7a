import { createHash } from 'node:crypto';
import type { RouteInput, RouteReply, ssoSignInRoutes } from '@portal/contracts';
import { endSsoSessions, openSsoSession } from '@portal/contracts/internal';
import type { Scope } from '@portal/database';
import { AppError } from '@portal/kernel';
import { type Call, ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { provider } from '../../identity-provider/domain/provider.ts';
import { findSetting } from '../../settings/data/setting-repository.ts';
import { endCode, takeCode } from '../data/code-repository.ts';
import { keepOutcome } from '../data/history-repository.ts';
import { insertSession } from '../data/sso-session-repository.ts';
import { isVerified } from '../domain/pkce.ts';

type Route = typeof ssoSignInRoutes.redeemSsoCode;

/**
 * Opens the session of who has signed in at a provider: with `platform` in the player, without in the portal. Throws `E40004` for a code that
 * was used, is over or is not theirs, also where the provider logs them out at this moment, and what any sign-in throws to who knows the password.
 */
export async function redeemCode(
  { clock, peers, store }: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  { code, codeVerifier, platform }: RouteInput<Route>['body'],
  call: { readonly scope: Scope } & Pick<Call, 'address' | 'agent' | 'clientAgent' | 'concerns' | 'signedIn'>,
): Promise<RouteReply<Route>> {
  if (platform && call.clientAgent === undefined) throw new AppError('E40005');
  const codeHash = createHash('sha256').update(code).digest();
  const taken = await store.write(call.scope, async ({ db }) => {
    const found = await takeCode(db, codeHash, clock.now());
    return found && { ...found, setting: await findSetting(db, found.partnerId) };
  });
  if (taken) call.concerns({ kind: 'account', id: taken.accountId, role: null, partnerId: taken.partnerId });
  if (!taken?.setting || !isVerified(taken.codeChallenge, codeVerifier)) throw new AppError('E40004');
  const { accountId, nameId, nameIdFormat, partnerId, sessionIndex, setting } = taken;
  const { address, agent } = call;
  const logsOut = provider.parse(setting.provider).logout.length > 0;
  const opened = await peers
    .call(openSsoSession, { body: { partnerId, accountId, platform, agent, address, logsOut } })
    .catch(async (error: unknown) => {
      if (error instanceof AppError && error.status === 403) {
        const outcome = { partnerId, at: clock.now(), identifier: nameId, reason: error.code };
        await store.write(ofPartner(partnerId), ({ db }) => keepOutcome(db, outcome));
      }
      throw error;
    });
  const { endsAt, reply, role, sessionId } = opened;
  const session = { sessionId, partnerId, nameId, nameIdFormat, sessionIndex, endsAt: new Date(endsAt) };
  const isOpen = await store.write(ofPartner(partnerId), async ({ db }) => {
    if (!(await endCode(db, taken))) return false;
    await insertSession(db, session);
    return true;
  });
  if (!isOpen) {
    await peers.call(endSsoSessions, { body: { partnerId, sessionIds: [sessionId] } });
    throw new AppError('E40004');
  }
  call.signedIn({ kind: 'account', id: accountId, role, partnerId });
  return reply;
}
