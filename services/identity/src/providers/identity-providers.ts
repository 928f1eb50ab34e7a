import type { IdentityProvider } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import type { Seals } from '@portal/service-kit';
import type {
  IdentityProviderClient,
  ProvenIdentity,
  ProviderSettings,
  Tokens,
} from './identity-provider.ts';

/** The identity providers of this installation. */
export interface IdentityProviders {
  readonly names: readonly IdentityProvider[];
  /** Throws `E40401` for one that is not set up. */
  of(name: string): IdentityProviderClient;
  /** A nonce that `identify` knows as one of this installation's. */
  newNonce(name: IdentityProvider): string;
  /** Whose tokens these are: of `name`, or of whichever provider knows them. Throws `E40102` for nobody's. */
  identify(tokens: Tokens, name?: IdentityProvider): Promise<ProvenIdentity>;
}

export type ProvidersSettings = ReadonlyMap<IdentityProvider, ProviderSettings>;

export async function createIdentityProviders(
  settings: ProvidersSettings,
  {
    clock,
    redirectUri,
    seals,
  }: { readonly clock: Clock; readonly redirectUri: string; readonly seals: Seals },
): Promise<IdentityProviders> {
  const create = async (name: IdentityProvider, one: ProviderSettings) => {
    // Its libraries are loaded only where there is a provider.
    const { createIdentityProvider } = await import('./identity-provider.ts');
    return createIdentityProvider(one, { clock, redirectUri, trustsXmsEdov: name === 'microsoft' });
  };
  const clients = new Map(
    await Promise.all([...settings].map(async ([name, one]) => [name, await create(name, one)] as const)),
  );
  const contextOf = (name: IdentityProvider) => `nonce for ${name}`;

  /** Sealed by this service: nobody else makes one, and none has to be stored. */
  const isOursFor = (name: IdentityProvider) => (nonce: string) => {
    try {
      return seals.open(nonce, contextOf(name)) === name;
    } catch {
      return false;
    }
  };

  return {
    names: [...clients.keys()],
    of(name) {
      const client = [...clients].find(([known]) => known === name)?.[1];
      if (!client) throw new AppError('E40401');
      return client;
    },
    newNonce: (name) => seals.seal(name, contextOf(name), 'identity'),
    async identify(tokens, wanted) {
      let failure = new AppError('E40102');
      for (const [name, client] of clients) {
        if (wanted !== undefined && wanted !== name) continue;
        try {
          return await client.identify(tokens, isOursFor(name));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          // One that does not answer might have known it.
          if (failure.code !== 'E50301') failure = error;
        }
      }
      throw failure;
    },
  };
}
