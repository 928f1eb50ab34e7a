import { randomBytes } from 'node:crypto';
import { entityIdOf, ssoAddressesOf } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { type Endpoint, provider } from '../../identity-provider/domain/provider.ts';
import type { Outgoing, Target } from '../../saml/messages.ts';
import type { SamlParty } from '../../saml/party.ts';
import { openServiceProviderPair } from '../../service-provider/data/key-repository.ts';
import type { Setting } from '../../settings/data/setting-repository.ts';
import { insertRequest, type SamlRequest } from '../data/request-repository.ts';

/** How long a provider has to answer. */
export const requestMs = 10 * 60_000;

export const newMessageId = (): string => `_${randomBytes(20).toString('hex')}`;

type Asked = Pick<SamlRequest, 'codeChallenge' | 'redirectUrl' | 'testId'> & {
  readonly kind: 'signIn' | 'test';
};

/** Keeps a request for a sign-in, and answers what takes it to the provider. */
export async function sendRequest(
  deps: Pick<Dependencies, 'cipher' | 'clock' | 'publicUrl' | 'store'>,
  setting: Setting,
  partnerCode: string,
  asked: Asked,
): Promise<Outgoing> {
  const { clock, store } = deps;
  const { partnerId } = setting;
  const now = clock.now();
  const id = newMessageId();
  const party = await partyOf(deps, setting, partnerCode);
  await store.write(ofPartner(partnerId), ({ db }) =>
    insertRequest(db, { id, partnerId, ...asked, expiresAt: new Date(now.getTime() + requestMs) }),
  );
  // Its library is large, and stays away until the first sign-in.
  const { authnRequest } = await import('../../saml/messages.ts');
  return authnRequest(party, { id, now, target: signOnTarget(setting) });
}

/** What the installation is to the provider of a partner. */
export async function partyOf(
  { cipher, publicUrl, store }: Pick<Dependencies, 'cipher' | 'publicUrl' | 'store'>,
  { entityKey, partnerId }: Pick<Setting, 'entityKey' | 'partnerId'>,
  partnerCode: string,
): Promise<SamlParty> {
  const pair = await store.read(ofPartner(partnerId), (db) => openServiceProviderPair(db, cipher, partnerId));
  // It is made with the setting.
  if (!pair) throw new Error('A setting without a key');
  const { acsUrl, sloUrl } = ssoAddressesOf(publicUrl, partnerCode);
  return { entityId: entityIdOf(publicUrl, entityKey), acsUrl, sloUrl, ...pair };
}

/** Where people sign in: by redirect, unless the provider takes forms alone. */
function signOnTarget({ loginUrl, provider: json }: Setting): Target {
  const { binding, location } = preferred(provider.parse(json).signOn) ?? {
    binding: 'redirect',
    location: '',
  };
  return { binding, location: loginUrl ?? location };
}

export const preferred = (endpoints: readonly Endpoint[]): Endpoint | undefined =>
  endpoints.find(({ binding }) => binding === 'redirect') ?? endpoints[0];
