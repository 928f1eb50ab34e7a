import { type PasswordQueue, refuseGuessable } from '@portal/accounts';
import { signUpRoutes as contracts, foldCase } from '@portal/contracts';
import { confirmSignUp as confirmSignUpContract, signUpWithIdentity } from '@portal/contracts/internal';
import { type Implementation, implement } from '@portal/service-kit';
import { personName } from '../domain/sign-up.ts';
import { activateByLink, confirmSignUp } from '../use-cases/activate-partner.ts';
import { type SignUpDependencies, signUp } from '../use-cases/sign-up.ts';

type Dependencies = SignUpDependencies & {
  readonly passwordQueue: PasswordQueue;
  /** Undefined while sign-up is off. */
  readonly signUpKey: string | undefined;
  readonly termsUrl: string | undefined;
};

const everybody = 'whoever signs up is of no tenant yet';

export function signUpRoutes(deps: Dependencies): Implementation[] {
  return [
    implement(contracts.signUpTrial, async ({ body }, { address, concerns, language, systemScope }) => {
      const { password, ...request } = body;
      concerns({ kind: 'unknown', login: request.email });
      const { email } = request;
      refuseGuessable(password, { email, name: personName(request, language) });
      const passwords = deps.passwordQueue.of({ account: `sign-up ${foldCase(email)}`, address });
      // Whatever is known of the address, so that the answer takes as long.
      const passwordHash = await passwords.hash(password);
      const made = await signUp(
        deps,
        {
          rank: 'trial',
          request: withoutEmptyCode(request),
          way: { kind: 'password', passwordHash },
          language,
        },
        systemScope(everybody),
      );
      concerns({ kind: 'tenant', partnerId: made.id, login: email });
      return made;
    }),

    implement(contracts.signUpFree, async ({ body }, { concerns, language, systemScope }) => {
      concerns({ kind: 'unknown', login: body.email });
      const made = await signUp(
        deps,
        { rank: 'free', request: withoutEmptyCode(body), way: { kind: 'link' }, language },
        systemScope(everybody),
      );
      concerns({ kind: 'tenant', partnerId: made.id, login: body.email });
      return made;
    }),

    implement(contracts.activateSignUp, async ({ body }, { concerns, systemScope }) => {
      const scope = systemScope('a link is known by its token');
      const { id, partnerCode } = await activateByLink(deps, body.token, scope);
      concerns({ kind: 'tenant', partnerId: id });
      return { partnerCode };
    }),

    implement(signUpWithIdentity, async ({ body }, { systemScope }) => {
      const { identity, language, ...request } = body;
      return signUp(
        deps,
        { rank: 'free', request: withoutEmptyCode(request), way: { kind: 'identity', identity }, language },
        systemScope(everybody),
      );
    }),

    implement(contracts.getSignUpSettings, async () => ({
      signupKey: deps.signUpKey ?? null,
      termsUrl: deps.termsUrl ?? null,
    })),

    implement(confirmSignUpContract, async ({ body }, { systemScope }) => {
      await confirmSignUp(deps, body, systemScope('the licence may end with that of the owner of the unit'));
      return {};
    }),
  ];
}

/** Empty and null are absent, as forms send them. */
const withoutEmptyCode = <R extends { readonly partnerCode?: string | null | undefined }>(request: R) => ({
  ...request,
  partnerCode: request.partnerCode || undefined,
});
