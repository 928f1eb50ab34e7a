import { identityRoutes } from '@portal/contracts';
import { listRevocations } from '@portal/contracts/internal';
import { type Caller, type Implementation, implement } from '@portal/service-kit';
import { tokenChanges } from '../data/session-views.ts';
import { refreshToken } from '../use-cases/refresh-token.ts';

type Dependencies = Parameters<typeof refreshToken>[0];

export function tokenRoutes(deps: Dependencies): Implementation[] {
  const { clock, keyRing, store } = deps;
  return [
    implement(identityRoutes.validateToken, async (_, { caller }) => ({
      valid: true as const,
      kind: kindOf(caller),
      role: caller.role,
      expiresIn: Math.floor((caller.expiresAt.getTime() - clock.now().getTime()) / 1000),
    })),

    implement(identityRoutes.refreshToken, async (_, call) => refreshToken(deps, call)),

    implement(identityRoutes.jwks, async () => keyRing.publicKeys()),

    implement(listRevocations, async ({ body: { since } }, { systemScope }) =>
      store.read(systemScope('every service refuses the ended sessions of all'), (db) =>
        tokenChanges(db, clock.now(), since === undefined ? undefined : new Date(since)),
      ),
    ),
  ];
}

function kindOf(caller: Caller): 'admin' | 'partner' | 'user' {
  if (caller.kind === 'admin') return 'admin';
  return caller.client === 'portal' ? 'partner' : 'user';
}
