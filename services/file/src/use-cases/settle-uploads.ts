import { limits } from '@portal/contracts';
import { everything, ofPartner } from '@portal/service-kit';
import { beginVerifying, findVersionsByStatus, type Upload } from '../data/version-repository.ts';
import { receivedBytes } from './complete-upload.ts';
import type { FileTools } from './file-use-cases.ts';
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
    await store.write(ofPartner(version.partnerId), async ({ db }) =>
      beginVerifying(db, version, { ...received, now: clock.now() }),
    );
    await verifier.verify(version);
  }
}

function isWhole(version: Upload, size: number): boolean {
  return version.size === null ? size > 0 && size <= limits.maxFileSize : size === version.size;
}
