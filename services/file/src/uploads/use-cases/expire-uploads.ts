import { limits } from '@portal/contracts';
import type { JobRun } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { findVersionsByStatus, lockVersion } from '../data/version-repository.ts';
import { abortOpenVersion } from './abort-upload.ts';

const batch = 100;

/** Aborts uploads that were opened 24 hours ago and never got their bytes. */
export async function expireUploads(deps: Dependencies, { scope }: JobRun): Promise<void> {
  const { clock, store } = deps;
  const openedBefore = new Date(clock.now().getTime() - limits.uploadLifetime);
  const expired = await store.read(scope, async (db) =>
    findVersionsByStatus(db, { status: 'uploading', openedBefore, limit: batch }),
  );
  for (const { id, partnerId } of expired) {
    await changeFiles(deps, partnerId, async (change) => {
      const version = await lockVersion(change, id);
      if (version?.status === 'uploading') await abortOpenVersion(change, version, clock.now());
    });
  }
}
