import { setTimeout as sleep } from 'node:timers/promises';
import { foldCase, type RouteInput, type RouteReply, type socialRoutes } from '@portal/contracts';
import { signUpWithIdentity } from '@portal/contracts/internal';
import { AppError, fieldError } from '@portal/kernel';
import type { Call, Peers, Seals, Store } from '@portal/service-kit';
import { z } from 'zod';
import type { IdentityDb } from '../data/db.ts';
import { findLinked, type ProviderAccount } from '../data/linked-identity-repository.ts';
import type { IdentityProviders } from '../providers/identity-providers.ts';

type Route = typeof socialRoutes.signUpSocial;

interface Dependencies {
  readonly store: Store<IdentityDb>;
  readonly peers: Peers;
  readonly seals: Seals;
  readonly providers: IdentityProviders;
}

/** What the account at a provider is sealed for, on its way to the person who is made for it and back. */
export const identitySeal = 'account at an identity provider';
export const sealedIdentity = z.object({ issuer: z.string(), subject: z.string() });

/** So long, and so often, the answer waits until the person can sign in. */
const looks = 50;
const lookMs = 100;

/**
 * Opens a free company for somebody whose address an identity provider has proved. Throws `E40102` for tokens that are not as they
 * must be, `E40301` for an address that is not proved, `E40002` on email for another one, `E40312` for an account that is linked
 * already, and what the tenant service refuses.
 */
export async function signUpSocial(
  { peers, providers, seals, store }: Dependencies,
  body: RouteInput<Route>['body'],
  { concerns, language, systemScope }: Pick<Call<Route>, 'concerns' | 'language' | 'systemScope'>,
): Promise<RouteReply<Route>> {
  const { accessToken, expiry: _, idToken, identityProvider, refreshToken: __, ...request } = body;
  concerns({ kind: 'unknown', login: request.email });
  const identity = await providers.identify({ accessToken, idToken: idToken || null }, identityProvider);
  if (identity.email === null) throw new AppError('E40301');
  if (foldCase(identity.email) !== foldCase(request.email))
    throw fieldError('E40002', 'email', 'invalidValue');
  const scope = systemScope('an account at a provider is of no tenant');
  const isLinked = async () => (await store.read(scope, (db) => findLinked(db, identity))) !== null;
  if (await isLinked()) throw new AppError('E40312');
  const account: ProviderAccount = { issuer: identity.issuer, subject: identity.subject };
  const made = await peers.call(signUpWithIdentity, {
    body: {
      ...request,
      language,
      // It comes back with the person, who is then linked to it: no crash in between leaves a company that nobody can enter.
      identity: seals.seal(JSON.stringify(account), identitySeal, 'identity'),
    },
  });
  concerns({ kind: 'tenant', partnerId: made.id, login: request.email });
  for (let look = 0; look < looks && !(await isLinked()); look += 1) await sleep(lookMs);
  return made;
}
