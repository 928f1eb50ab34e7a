import { together } from '@portal/service-kit';

/** Does `work` when all that came before it for the tenant is done. Rejects with `E50301` when too much waits. */
export type InTurn = <T>(partnerId: number, work: () => Promise<T>) => Promise<T>;

/** Fewer than there are connections: while work of some tenants waits in the database, there are some for everything else. */
const tenantsAtOnce = 4;
/** Of one tenant, which is more than is done within the time that a caller waits. */
const mostWaiting = 200;

/**
 * For work that holds its tenant (`lockPartner`) and comes from players: the first morning of a large tenant brings more of it than is
 * done one after the other. It waits here and not on a connection each, so it holds up nobody else.
 */
export function createTenantTurns(): InTurn {
  const run = together<{ partnerId: number; work: () => Promise<unknown> }, unknown>({
    most: 1,
    atOnce: tenantsAtOnce,
    nameOf: ({ partnerId }) => String(partnerId),
    mostWaiting,
    run: async (those) => Promise.all(those.map(async ({ work }) => work())),
  });
  return async <T>(partnerId: number, work: () => Promise<T>) => (await run({ partnerId, work })) as T;
}
