import type { RouteInput, RouteReply } from '@portal/contracts';
import { type openSsoSession as contract, findPartner, recordSsoLogin } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { isLicensed } from '../domain/licence.ts';
import {
  accountReply,
  enterAccount,
  requireAdmission,
  type SignInDependencies,
  unlessEnded,
} from './sign-in-account.ts';

/**
 * Signs a person of a tenant in of whom the sso service knows who they are. Whether they have to show a second factor is for their
 * identity provider to say, so none is asked for here. Refuses as a sign-in with a password does, once that is right.
 */
export async function openSsoSession(
  deps: SignInDependencies & { readonly sessionMs: number },
  opening: RouteInput<typeof contract>['body'],
): Promise<RouteReply<typeof contract>> {
  const { clock, keyRing, peers, sessionMs } = deps;
  const { accountId, address, agent, logsOut, partnerId, platform } = opening;
  const partner = await peers.call(findPartner, { body: { partnerId } });
  if (partner.activated === false) throw new AppError('E40101');
  const licensed = isLicensed(partner, clock.now());
  // The sso service writes its own entry to the operation log.
  const call = { address, agent, concerns: () => {}, signedIn: () => {} };
  const { account, session } = await unlessEnded(deps, partnerId, async (before) => {
    const account = await peers.call(recordSsoLogin, {
      // With an expired licence no device is registered.
      body: { partnerId, accountId, licensed, ...(licensed && { platform }) },
    });
    requireAdmission(partner, account, { platform }, clock.now());
    const entering = { account, before, partnerId, platform, ssoLogout: logsOut, twoFactorSetup: false };
    return { account, session: await enterAccount(deps, entering, call) };
  });
  return {
    sessionId: session.id,
    role: session.role,
    endsAt: new Date(session.startedAt.getTime() + sessionMs).toISOString(),
    reply: await accountReply(keyRing, { account, partner, session }),
  };
}
