import { limits } from '@portal/contracts';
import type { JobRun } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { findQuietUploads, lockVersion } from '../data/version-repository.ts';
import { failUpload } from './abort-upload.ts';

const batch = 100;

/** Ends uploads of which nothing has arrived for 24 hours. */
export async function expireUploads(deps: Dependencies, { scope }: JobRun): Promise<void> {
  const { clock, store } = deps;
  const quietSince = new Date(clock.now().getTime() - limits.uploadLifetime);
  const expired = await store.read(scope, async (db) => findQuietUploads(db, quietSince, batch));
  for (const { id, partnerId } of expired) {
    await changeFiles(deps, partnerId, async (change) => {
      const version = await lockVersion(change, id);
      // Somebody may have gone on with it meanwhile.
      if (version?.status !== 'uploading' || version.activeAt >= quietSince) return;
      await failUpload(change, version, 'expired', clock.now());
    });
  }
}
