import { limits } from '@portal/contracts';
import { exportJobs } from '@portal/csv-export';
import type { Job, JobRun, Worker } from '@portal/service-kit';
import { endOffers } from './applications/use-cases/end-offers.ts';
import { expireApprovals } from './approvals/use-cases/decide.ts';
import { announceDue } from './delivery/use-cases/announce-due.ts';
import type { Dependencies } from './dependencies.ts';
import { fileExport } from './files/data/file-export.ts';
import { deliveryExport } from './receipts/data/delivery-export.ts';
import { forgetEarly } from './receipts/data/early-repository.ts';
import { forgetDeleted } from './receipts/use-cases/forget-deleted.ts';
import { keepHistory } from './receipts/use-cases/keep-history.ts';
import { keepKeepers } from './rollouts/use-cases/keep-keepers.ts';
import { tellPeople } from './rollouts/use-cases/tell-people.ts';
import { openStorageUploads } from './uploads/data/version-repository.ts';
import { completeSinglePutUploads } from './uploads/use-cases/complete-single-put-uploads.ts';
import { expireUploads } from './uploads/use-cases/expire-uploads.ts';
import { measureUploads } from './uploads/use-cases/note-arrival.ts';
import { removeObjects } from './uploads/use-cases/remove-objects.ts';
import { releaseFormer } from './versions/use-cases/release-former.ts';

const second = 1_000;
const hour = 3_600 * second;

/** Where nothing is written, what time alone makes due may be found so late: nobody waits for it. */
const quietMs = 30 * second;

/** The jobs of this service. None of them decides what players see. */
export function jobs(
  deps: Dependencies & { readonly databaseUrl: string; readonly verifier: Worker },
): readonly Job[] {
  return [
    { name: 'announce-due', everyMs: second, quietMs, run: async (run) => announceDue(deps, run) },
    { name: 'tell-people', everyMs: second, quietMs: 5 * second, run: async (run) => tellPeople(deps, run) },
    { name: 'keep-keepers', everyMs: second, quietMs, run: async (run) => keepKeepers(deps, run) },
    { name: 'end-offers', everyMs: 5 * second, quietMs, run: async (run) => endOffers(deps, run) },
    {
      name: 'settle-uploads',
      everyMs: 2 * second,
      quietMs,
      run: async (run) => completeSinglePutUploads(deps, run),
    },
    deps.verifier.job,
    { name: 'expire-uploads', everyMs: 5 * second, quietMs, run: async (run) => expireUploads(deps, run) },
    {
      name: 'expire-approvals',
      everyMs: 5 * second,
      quietMs,
      run: async (run) => expireApprovals(deps, run),
    },
    { name: 'release-former', everyMs: 5 * second, quietMs, run: async (run) => releaseFormer(deps, run) },
    { name: 'remove-objects', everyMs: 5 * second, quietMs, run: async (run) => removeObjects(deps, run) },
    { name: 'keep-history', everyMs: 5 * second, quietMs, run: async (run) => keepHistory(deps, run) },
    { name: 'forget-early-receipts', everyMs: hour, run: async (run) => forgetEarlyReceipts(deps, run) },
    { name: 'forget-deleted', everyMs: hour, run: async (run) => forgetDeleted(deps, run) },
    { name: 'sweep-orphans', everyMs: hour, run: async (run) => sweepOrphans(deps, run) },
    ...(deps.storage.remoteSigning
      ? [
          {
            name: 'measure-uploads',
            everyMs: 15 * second,
            run: async (run: JobRun) => measureUploads(deps, run),
          },
        ]
      : []),
    ...exportJobs(deps, [fileExport(deps), deliveryExport(deps)]),
  ];
}

/** What told before its sign-in was known, and never came. */
async function forgetEarlyReceipts({ clock, store }: Dependencies, { scope }: JobRun): Promise<void> {
  const before = new Date(clock.now().getTime() - limits.earlyReceiptLifetime);
  await store.write(scope, async ({ db }) => forgetEarly(db, before));
}

/** Removes uploads in the store that no row refers to any more. One that somebody goes on with may be of any age. */
async function sweepOrphans({ clock, storage, store }: Dependencies, { scope }: JobRun): Promise<void> {
  await storage.sweepOrphans({
    olderThan: new Date(clock.now().getTime() - 2 * limits.uploadLifetime),
    except: await store.read(scope, openStorageUploads),
  });
}
