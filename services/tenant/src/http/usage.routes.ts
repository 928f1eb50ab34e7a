import { adminRoleBits, hasAnyRole, tenantRoutes } from '@portal/contracts';
import { recordUsage as recordUsageContract } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import { type Implementation, implement, type KeyCipher, ofPartner, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { overviewOf } from '../data/overview-views.ts';
import { summaryOf } from '../data/summary-views.ts';
import { recordUsage } from '../use-cases/record-usage.ts';

export function usageRoutes(deps: {
  store: Store<TenantDb>;
  clock: Clock;
  cipher: KeyCipher;
}): Implementation[] {
  const { cipher, clock, store } = deps;
  return [
    implement(tenantRoutes.getSummary, async ({ params, query }, { caller }) => {
      // Whoever reads of tenants may not use what they have.
      const seesKey =
        caller.kind === 'tenant' || hasAnyRole(caller.role, adminRoleBits.partnerAdministration);
      const keyCipher = seesKey ? cipher : undefined;
      const summary = await store.read(ofPartner(params.pid), (db) =>
        summaryOf(db, params.pid, { keyCipher, now: clock.now(), timeZone: query.tz }),
      );
      if (!summary) throw new AppError('E40402');
      return summary;
    }),

    implement(tenantRoutes.getOverview, async (_, { scope }) =>
      store.read(scope, (db) => overviewOf(db, clock.now())),
    ),

    implement(recordUsageContract, async ({ body }, call) => {
      await recordUsage(deps, body, call);
      return {};
    }),
  ];
}
