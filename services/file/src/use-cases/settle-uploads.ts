import { limits } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { everything } from '@portal/service-kit';
import { findVersionsByStatus, lockVersion, type Upload } from '../data/version-repository.ts';
import { takeBack } from './abort-upload.ts';
import { acceptBytes, receivedBytes } from './complete-upload.ts';
import { changeFiles, type FileTools } from './file-use-cases.ts';
import type { Verifier } from './verify-upload.ts';

const batch = 1_000;

/** Looks for the bytes of uploads whose clients send them with one PUT and say no more. */
export async function settleUploads(tools: FileTools & { readonly verifier: Verifier }): Promise<void> {
  const { clock, store, verifier } = tools;
  const open = await store.read(everything, async (db) =>
    findVersionsByStatus(db, { status: 'uploading', unattended: true, limit: batch }),
  );
  for (const version of open) {
    const received = await receivedBytes(tools, version);
    if (!received || !isWhole(version, received.size)) continue;
    try {
      await acceptBytes(tools, version, { ...received, mayDistribute: false, now: clock.now() });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'E40002')) throw error;
      // There is no room for it, and nobody waits to be told.
      await changeFiles(tools, version.partnerId, async (change) => {
        const found = await lockVersion(change, version.id);
        if (found?.status === 'uploading') await takeBack(change, found, clock.now());
      });
    }
    await verifier.verify(version);
  }
}

function isWhole(version: Upload, size: number): boolean {
  return version.size === null ? size > 0 && size <= limits.maxFileSize : size === version.size;
}
