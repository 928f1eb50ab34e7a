import {
  agentPattern,
  isLicenceOver,
  plans,
  type RouteInput,
  type RouteReply,
  type ssoSignInRoutes,
} from '@portal/contracts';
import { findPartner } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import type { Outgoing } from '../../saml/messages.ts';
import { findSetting, type Setting } from '../../settings/data/setting-repository.ts';
import { requireChallenge } from '../domain/pkce.ts';
import { requireRedirect } from '../domain/redirect.ts';
import { sendRequest } from './send-request.ts';

type Asked = RouteInput<typeof ssoSignInRoutes.beginSso>['query'];
type Partner = RouteReply<typeof findPartner>;

/** Whether the people of a partner sign in this way now; of an unknown code nobody does. */
export async function isSsoOn(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  partnerCode: string,
): Promise<boolean> {
  try {
    await requireSetting(deps, await deps.peers.call(findPartner, { body: { partnerCode } }));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false;
    throw error;
  }
}

/**
 * Sends a browser to the identity provider of a partner. Throws `E40005` without an agent, `E40002` on redirectUrl for a place that gets no
 * codes, `E40003` and `E40002` on codeChallenge, `E40402` for no partner, `E40302`, `E40304` and `E40401` where it does not sign in this way.
 */
export async function beginSignIn(
  deps: Pick<Dependencies, 'cipher' | 'clock' | 'peers' | 'publicUrl' | 'redirectSchemes' | 'store'>,
  { agent = '', partnerCode, redirectUrl, ...pkce }: Asked,
): Promise<Outgoing> {
  const { peers, publicUrl, redirectSchemes: schemes } = deps;
  if (!agentPattern.test(agent)) throw new AppError('E40005');
  const { client, url } = requireRedirect(redirectUrl, { publicUrl, schemes });
  const codeChallenge = requireChallenge(client, pkce);
  const partner = await peers.call(findPartner, { body: { partnerCode } });
  const setting = await requireSetting(deps, partner);
  return sendRequest(deps, setting, partner.partnerCode, {
    kind: 'signIn',
    redirectUrl: url.href,
    codeChallenge,
    testId: null,
  });
}

async function requireSetting(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  { contractRank, licenseExpiredOn, partnerId }: Partner,
): Promise<Setting> {
  if (!plans[contractRank].apis.includes('sso')) throw new AppError('E40304');
  if (isLicenceOver(licenseExpiredOn === null ? null : new Date(licenseExpiredOn), clock.now())) {
    throw new AppError('E40302');
  }
  const setting = await store.read(ofPartner(partnerId), (db) => findSetting(db, partnerId));
  if (!setting?.useSso) throw new AppError('E40401');
  return setting;
}
