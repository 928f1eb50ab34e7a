import { exportJobs } from '@portal/csv-export';
import { type Job, resealJobs, type ServiceContext } from '@portal/service-kit';
import { addUpAudienceCounts } from './audience/data/audience-count-repository.ts';
import { sealedSecrets } from './certifications/data/certification-repository.ts';
import { tellCertificateEnds } from './certifications/use-cases/tell-certificate-ends.ts';
import type { PushDb } from './data/db.ts';
import { forgetDeliveries } from './delivery/data/run-repository.ts';
import type { Deliverer } from './delivery/use-cases/create-deliverer.ts';
import type { Dependencies } from './dependencies.ts';
import { forgetEndedTokens, sealedTokens } from './devices/data/device-repository.ts';
import { notificationExport } from './notifications/data/notification-export.ts';
import { retell } from './retellings/use-cases/retell.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const deliveriesKeptMs = 30 * day;
const endedTokensKeptDays = 30;

/** The jobs of this service. */
export function jobs(
  deps: Pick<Dependencies, 'cipher' | 'clock' | 'logger' | 'store'> &
    Pick<ServiceContext<PushDb, unknown>, 'databaseUrl' | 'storage'>,
  deliverer: Deliverer,
): readonly Job[] {
  const { clock, store } = deps;
  return [
    ...deliverer.jobs,
    {
      name: 'tell-certificate-ends',
      everyMs: 10 * minute,
      run: async (run) => tellCertificateEnds(deps, run),
    },
    ...exportJobs(deps, [notificationExport]),
    { name: 'retell', everyMs: minute, run: async (run) => retell(deps, run) },
    {
      name: 'forget-deliveries',
      everyMs: 60 * minute,
      async run({ scope, stopping }) {
        const before = new Date(clock.now().getTime() - deliveriesKeptMs);
        while (!stopping.aborted && (await store.write(scope, ({ db }) => forgetDeliveries(db, before))) > 0);
      },
    },
    {
      name: 'forget-ended-tokens',
      everyMs: 60 * minute,
      async run({ scope, stopping }) {
        while (
          !stopping.aborted &&
          (await store.write(scope, async ({ db }) => forgetEndedTokens(db, endedTokensKeptDays))) > 0
        );
      },
    },
    {
      name: 'add-up-audiences',
      everyMs: minute,
      run: async ({ scope }) => store.write(scope, async ({ db }) => addUpAudienceCounts(db)),
    },
    ...resealJobs(deps, [...sealedSecrets, sealedTokens]),
  ];
}
