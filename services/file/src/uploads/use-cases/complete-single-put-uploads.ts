import { limits } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import type { JobRun, Worker } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { findVersionsByStatus, lockVersion, type Upload } from '../data/version-repository.ts';
import { abortOpenVersion } from './abort-upload.ts';
import { acceptBytes, receivedBytes } from './complete-upload.ts';

const batch = 1_000;

/** Looks for the bytes of uploads whose clients send them with one PUT and say no more. Answers now while some are open. */
export async function completeSinglePutUploads(
  deps: Dependencies & { readonly verifier: Worker },
  { scope }: JobRun,
): Promise<Date | undefined> {
  const { clock, store, verifier } = deps;
  const open = await store.read(scope, async (db) =>
    findVersionsByStatus(db, { status: 'uploading', unattended: true, limit: batch }),
  );
  for (const version of open) {
    const received = await receivedBytes(deps, version);
    if (!received || !isWhole(version, received.size)) continue;
    try {
      await acceptBytes(deps, version, { ...received, mayDistribute: false, now: clock.now() });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'E40002')) throw error;
      // There is no room for it, and nobody waits to be told.
      await changeFiles(deps, version.partnerId, async (change) => {
        const found = await lockVersion(change, version.id);
        if (found?.status === 'uploading') await abortOpenVersion(change, found, clock.now());
      });
    }
    await verifier.runNow(version.id);
  }
  return open.length > 0 ? clock.now() : undefined;
}

function isWhole(version: Upload, size: number): boolean {
  return version.size === null ? size > 0 && size <= limits.maxFileSize : size === version.size;
}
