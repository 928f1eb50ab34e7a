import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { MultipartUpload } from '@portal/storage';
import type { Editor } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { beginParts, extendUrls, multipartOf, type Upload } from '../data/version-repository.ts';
import { partSize } from '../domain/upload.ts';
import { urlsEnd } from './open-upload.ts';
import { requireOwnUpload, requireUpload } from './require-upload.ts';

/**
 * Opens an upload for parts, each of `partSize` bytes but the last, and lets those of `partNumbers` be sent.
 * @throws AppError `E40401`; `E40301`; `E40034` when the upload is over or its size was never told; `E40002` on `partNumbers`
 */
export async function openParts(
  deps: Dependencies,
  uploader: Editor,
  uploadId: string,
  partNumbers: readonly number[],
): Promise<{ upload: MultipartUpload; partNumbers: number[] }> {
  const { clock, store } = deps;
  const version = await requireOwnUpload(deps, uploader, uploadId);
  const { partnerId, size } = version;
  if (version.status !== 'uploading' || size === null) throw new AppError('E40034');
  const numbers = [...new Set(partNumbers)];
  if (numbers.some((number) => number > Math.ceil(size / partSize))) {
    throw new AppError('E40002', [{ field: 'partNumbers', message: 'outOfRange' }]);
  }
  const upload = multipartOf(version) ?? (await beginMultipart(deps, uploader, version, size));
  await store.write(ofPartner(partnerId), async ({ db }) => extendUrls(db, version, urlsEnd(clock.now())));
  return { upload, partNumbers: numbers };
}

/** Most uploads need no parts, so they are begun in the store only when parts are requested. */
async function beginMultipart(
  deps: Dependencies,
  uploader: Editor,
  version: Upload,
  size: number,
): Promise<MultipartUpload> {
  const { storage, store } = deps;
  const { objectKey, partnerId, uploadId } = version;
  const upload = await storage.createMultipart(objectKey, { size, partSize });
  const isFirst = await store.write(ofPartner(partnerId), async ({ db }) =>
    beginParts(db, version, upload.uploadId),
  );
  if (isFirst) return upload;
  await storage.abortMultipart(upload);
  const begun = multipartOf(await requireUpload(deps, uploader, uploadId));
  if (!begun) throw new AppError('E40034');
  return begun;
}
