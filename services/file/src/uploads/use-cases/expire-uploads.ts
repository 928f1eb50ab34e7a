import { limits } from '@portal/contracts';
import type { JobRun } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { tryChange } from '../../files/data/changes.ts';
import { workOff } from '../../files/use-cases/work-off.ts';
import { findQuietUploads, lockVersion } from '../data/version-repository.ts';
import { failUpload } from './abort-upload.ts';

/** Ends uploads of which nothing has arrived for 24 hours. */
export async function expireUploads(deps: Pick<Dependencies, 'clock' | 'store'>, run: JobRun): Promise<void> {
  const now = deps.clock.now();
  const quietSince = new Date(now.getTime() - limits.uploadLifetime);
  await workOff(deps, run, {
    find: async (db, shares) => findQuietUploads(db, quietSince, shares),
    begin: tryChange,
    async work(change, id) {
      const version = await lockVersion(change, id);
      // Somebody may have gone on with it meanwhile.
      if (version?.status !== 'uploading' || version.activeAt >= quietSince) return;
      await failUpload(change, version, 'expired', now);
    },
  });
}
