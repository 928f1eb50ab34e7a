import { extensionOf } from '@portal/contracts';
import { openUserImport } from '@portal/contracts/internal';
import { fieldError } from '@portal/kernel';
import type { Peers } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { assertRoom } from '../../files/use-cases/storage-quota.ts';
import {
  findOpenImportUploads,
  type ImportUpload,
  openImportUpload,
  releaseObjects,
  setVersion,
} from '../data/version-repository.ts';
import { assertUploadSize } from '../domain/upload.ts';
import { urlsEnd } from './open-upload.ts';

/**
 * Opens the upload of a CSV file of users, in the place of an earlier one that was never completed.
 * @throws AppError `E40002` on `file` for another kind of file, a size that can't be or is over the quota; `E40010` while an import of the
 * tenant is under way
 */
export async function openImport(
  deps: Dependencies & { readonly peers: Peers },
  {
    openedBy,
    partnerId,
  }: { openedBy: { readonly accountId: number; readonly sessionId: string }; partnerId: number },
  file: {
    fileName: string;
    fileSize?: number | undefined;
    fingerprint?: string | undefined;
    preview: boolean;
  },
): Promise<{ id: number; upload: ImportUpload }> {
  const { clock, peers } = deps;
  const { fileName, fileSize: size, fingerprint, preview } = file;
  if (extensionOf(fileName) !== '.csv') throw fieldError('E40002', 'file', 'csvExtension');
  if (size !== undefined) assertUploadSize('users_csv', size);
  const by = { openedBy: openedBy.accountId, openedIn: openedBy.sessionId };
  const { importId } = await peers.call(openUserImport, { body: { partnerId, ...by, preview } });

  const quota = await deps.quotaOf(partnerId);
  return changeFiles(deps, partnerId, async (change) => {
    const now = clock.now();
    for (const earlier of await findOpenImportUploads(change)) {
      await setVersion(change, earlier.id, { status: 'aborted' });
      await releaseObjects(change, earlier, now, now);
    }
    await assertRoom(change, quota, size ?? 0);
    const opened = { importId, size, fingerprint, now, urlsExpireAt: urlsEnd(now) };
    return { id: importId, upload: await openImportUpload(change, opened) };
  });
}
