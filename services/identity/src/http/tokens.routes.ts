import { identityRoutes } from '@portal/contracts';
import { findPartner, listRevocations } from '@portal/contracts/internal';
import {
  type Caller,
  type DirectStore,
  type Implementation,
  implement,
  type Peers,
} from '@portal/service-kit';
import { tokenChanges } from '../data/session-views.ts';
import { refreshToken } from '../use-cases/refresh-token.ts';

type Dependencies = Parameters<typeof refreshToken>[0] & {
  readonly direct: DirectStore;
  readonly peers: Peers;
};

export function tokenRoutes(deps: Dependencies): Implementation[] {
  const { clock, direct, keyRing, peers } = deps;
  const rankOf = async (partnerId: number) =>
    (await peers.call(findPartner, { body: { partnerId } })).contractRank;
  return [
    implement(identityRoutes.validateToken, async (_, { caller }) => ({
      valid: true as const,
      kind: kindOf(caller),
      role: caller.role,
      ...(isOfPortal(caller) && { contractRank: await rankOf(caller.partnerId) }),
      expiresIn: Math.floor((caller.expiresAt.getTime() - clock.now().getTime()) / 1000),
    })),

    implement(identityRoutes.refreshToken, async (_, call) => refreshToken(deps, call)),

    implement(identityRoutes.jwks, async () => keyRing.publicKeys()),

    implement(listRevocations, async ({ body: { since } }, { systemScope }) =>
      tokenChanges(
        direct.statements(systemScope('every service refuses the ended sessions of all')),
        clock.now(),
        since === undefined ? undefined : new Date(since),
      ),
    ),
  ];
}

const isOfPortal = (caller: Caller): caller is Extract<Caller, { kind: 'tenant' }> =>
  caller.kind === 'tenant' && caller.client === 'portal';

function kindOf(caller: Caller): 'admin' | 'partner' | 'user' {
  if (caller.kind === 'admin') return 'admin';
  return isOfPortal(caller) ? 'partner' : 'user';
}
