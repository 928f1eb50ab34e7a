import { limits } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import type { JobRun, Worker } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { findUnattendedUploads, lockVersion, type Upload } from '../data/version-repository.ts';
import { abortOpenVersion } from './abort-upload.ts';
import { acceptBytes, receivedBytes } from './complete-upload.ts';

/** As many are asked for at the store at once. */
const batch = 50;

type UploadDependencies = Dependencies & { readonly verifier: Worker };

/**
 * Looks for the bytes of uploads whose clients send them with one PUT and say no more: of all that are open, since only the store knows
 * which have come, so that those of which nothing comes hold up no others. Answers now while some are open.
 */
export async function completeSinglePutUploads(
  deps: UploadDependencies,
  run: JobRun,
): Promise<Date | undefined> {
  const { clock, store } = deps;
  for (let afterId = 0; !run.stopping.aborted; ) {
    const open = await store.read(run.scope, async (db) =>
      findUnattendedUploads(db, { afterId, limit: batch }),
    );
    await completeThose(deps, run, open);
    const last = open.at(-1);
    if (last) afterId = last.id;
    if (open.length < batch) return afterId > 0 ? clock.now() : undefined;
  }
  return clock.now();
}

/** Completes those whose bytes are there. */
async function completeThose(deps: UploadDependencies, run: JobRun, open: readonly Upload[]): Promise<void> {
  const looks = await Promise.all(
    open.map(async (version) => ({ version, received: await receivedBytes(deps, version) })),
  );
  let isAnyComplete = false;
  for (const { received, version } of looks) {
    if (!received || !isWhole(version, received.size)) continue;
    try {
      await take(deps, version, received);
      isAnyComplete = true;
    } catch (error) {
      // What keeps one tenant's from being taken is no reason to leave the others'.
      const about = { err: error, partnerId: version.partnerId, versionId: version.id };
      deps.logger.warn(about, 'Upload not taken, will try again');
    }
  }
  // It takes the first at once, and has its turns; nobody here waits for it.
  if (isAnyComplete) await deps.verifier.job.run(run);
}

async function take(
  deps: UploadDependencies,
  version: Upload,
  received: NonNullable<Awaited<ReturnType<typeof receivedBytes>>>,
): Promise<void> {
  const { clock } = deps;
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
}

function isWhole(version: Upload, size: number): boolean {
  return version.size === null ? size > 0 && size <= limits.maxFileSize : size === version.size;
}
