import { socialRoutes as contracts } from '@portal/contracts';
import { type Implementation, implement } from '@portal/service-kit';
import { goToIdentityProvider, returnFromIdentityProvider } from '../use-cases/go-to-identity-provider.ts';
import { loginIdentity } from '../use-cases/login-identity.ts';
import { signUpSocial } from '../use-cases/sign-up-social.ts';

type Dependencies = Parameters<typeof goToIdentityProvider>[0] &
  Parameters<typeof loginIdentity>[0] &
  Parameters<typeof signUpSocial>[0];

const nobodyYet = 'nobody knows yet who comes back';

/** Accounts at identity providers: the way there and back, sign-in and sign-up. */
export function socialRoutes(deps: Dependencies): Implementation[] {
  return [
    implement(contracts.listIdentityProviders, async () => ({ providers: [...deps.providers.names] })),

    implement(contracts.authorizeIdentity, async ({ params: { provider }, query }, { systemScope }) =>
      goToIdentityProvider(deps, { provider, ...query }, systemScope(nobodyYet)),
    ),

    implement(contracts.returnFromIdentity, async ({ query }, { systemScope }) =>
      returnFromIdentityProvider(deps, query, systemScope(nobodyYet)),
    ),

    implement(contracts.validateIdentity, async ({ body: { accessToken, idToken } }, call) =>
      loginIdentity(deps, { accessToken, idToken: idToken || null }, call),
    ),

    implement(contracts.signUpSocial, async ({ body }, call) => signUpSocial(deps, body, call)),
  ];
}
