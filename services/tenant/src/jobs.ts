import { limits } from '@portal/contracts';
import { exportJobs } from '@portal/csv-export';
import { type Job, type KeyCipher, resealJobs, type ServiceContext } from '@portal/service-kit';
import type { TenantDb } from './data/db.ts';
import { sealedKeys } from './data/document-database-repository.ts';
import { partnerExport } from './data/partner-export.ts';
import { addUpUnitCounts } from './data/unit-count-repository.ts';
import { forgetUsage } from './data/usage-repository.ts';
import { deleteUnactivated } from './use-cases/delete-partner.ts';
import { forgetMails } from './use-cases/forget-mails.ts';
import { giveUpHolds } from './use-cases/hold-licences.ts';
import { tellLicenceEnds } from './use-cases/tell-licence-ends.ts';

const hour = 3_600_000;
/** Longer than a gateway would try to hand a batch over. */
const batchesKeptMs = 7 * 24 * hour;
/** The days of the summary, which begin up to a day earlier in some time zone than in UTC. */
const quartersKeptMs = (limits.usageDays + 2) * 24 * hour;
const usageKeptMs = limits.operationLogRetentionDays * 24 * hour;

/** The jobs of this service. */
export function jobs(
  deps: ServiceContext<TenantDb, unknown> & { readonly cipher: KeyCipher },
): readonly Job[] {
  const { clock, store } = deps;
  return [
    ...exportJobs(deps, [partnerExport(clock)]),
    { name: 'tell-licence-ends', everyMs: 60_000, run: async (run) => tellLicenceEnds(deps, run) },
    {
      name: 'forget-usage',
      everyMs: hour,
      run: async ({ scope }) => {
        const now = clock.now().getTime();
        const before = {
          day: new Date(now - usageKeptMs),
          quarter: new Date(now - quartersKeptMs),
          addedAt: new Date(now - batchesKeptMs),
        };
        await store.write(scope, ({ db }) => forgetUsage(db, before));
      },
    },
    {
      name: 'give-up-licence-holds',
      everyMs: 5_000,
      quietMs: 10_000,
      run: async (run) => giveUpHolds(deps, run),
    },
    {
      name: 'add-up-unit-counts',
      everyMs: 10_000,
      quietMs: 60_000,
      run: async ({ scope }) => store.write(scope, ({ db }) => addUpUnitCounts(db)),
    },
    { name: 'delete-unactivated', everyMs: 60_000, run: async (run) => deleteUnactivated(deps, run) },
    { name: 'forget-mails', everyMs: hour, run: async (run) => forgetMails(deps, run) },
    ...resealJobs(deps, [sealedKeys]),
  ];
}
