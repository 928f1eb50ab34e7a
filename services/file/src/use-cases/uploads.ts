import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { type MultipartUpload, StorageError, type StoredPart } from '@portal/storage';
import { beginParts, extendUrls, findUpload, multipartOf, type Upload } from '../data/version-repository.ts';
import { partSize, statusOnTheWire } from '../domain/upload.ts';
import { assertMayChangeDelivery, type Editor, mayDistribute } from './distribution.ts';
import type { FileTools } from './file-use-cases.ts';
import { urlsEnd } from './open-upload.ts';

const anyUploadId = /^[0-9a-f-]{36}$/;

/** @throws AppError `E40401` for an upload that the tenant does not have, or an import's where they may make none */
export async function requireUpload(
  { store }: Pick<FileTools, 'store'>,
  uploader: Editor,
  uploadId: string,
): Promise<Upload> {
  const { partnerId } = uploader;
  if (!anyUploadId.test(uploadId)) throw new AppError('E40401');
  const upload = await store.read(ofPartner(partnerId), async (db) => findUpload(db, partnerId, uploadId));
  if (!upload) throw new AppError('E40401');
  if (upload.fileId === null && !mayDistribute(uploader)) throw new AppError('E40401');
  return upload;
}

/**
 * As `requireUpload`, for whoever sends bytes of it or ends it.
 * @throws AppError `E40401`; `E40301` for a file that has groups, where they are no administrator
 */
export async function requireOwnUpload(
  tools: Pick<FileTools, 'store'>,
  uploader: Editor,
  uploadId: string,
): Promise<Upload> {
  const upload = await requireUpload(tools, uploader, uploadId);
  const { fileId, partnerId } = upload;
  if (fileId === null) return upload;
  await tools.store.read(ofPartner(partnerId), async (db) =>
    assertMayChangeDelivery({ db, partnerId }, uploader, fileId),
  );
  return upload;
}

/**
 * Opens an upload for parts, each of `partSize` bytes but the last, and lets those of `partNumbers` be sent.
 * @throws AppError `E40401`; `E40301`; `E40034` when the upload is over or its size was never told; `E40002` on `partNumbers`
 */
export async function openParts(
  tools: FileTools,
  uploader: Editor,
  uploadId: string,
  partNumbers: readonly number[],
): Promise<{ upload: MultipartUpload; partNumbers: number[] }> {
  const { clock, store } = tools;
  const version = await requireOwnUpload(tools, uploader, uploadId);
  const { partnerId, size } = version;
  if (version.status !== 'uploading' || size === null) throw new AppError('E40034');
  const numbers = [...new Set(partNumbers)];
  if (numbers.some((number) => number > Math.ceil(size / partSize))) {
    throw new AppError('E40002', [{ field: 'partNumbers', message: 'outOfRange' }]);
  }
  const upload = multipartOf(version) ?? (await beginMultipart(tools, uploader, version, size));
  await store.write(ofPartner(partnerId), async ({ db }) => extendUrls(db, version, urlsEnd(clock.now())));
  return { upload, partNumbers: numbers };
}

/** Most uploads need no parts, so the store hears of them when they are asked for. */
async function beginMultipart(
  tools: FileTools,
  uploader: Editor,
  version: Upload,
  size: number,
): Promise<MultipartUpload> {
  const { storage, store } = tools;
  const { objectKey, partnerId, uploadId } = version;
  const upload = await storage.createMultipart(objectKey, { size, partSize });
  const isFirst = await store.write(ofPartner(partnerId), async ({ db }) =>
    beginParts(db, version, upload.uploadId),
  );
  if (isFirst) return upload;
  await storage.abortMultipart(upload);
  const begun = multipartOf(await requireUpload(tools, uploader, uploadId));
  if (!begun) throw new AppError('E40034');
  return begun;
}

/** How far an upload has come: what a client needs to go on with it. */
export async function getUpload(
  tools: FileTools,
  uploader: Editor,
  uploadId: string,
): Promise<{ status: 'uploading' | 'complete' | 'aborted'; parts: StoredPart[] }> {
  const version = await requireUpload(tools, uploader, uploadId);
  const upload = multipartOf(version);
  const parts = version.status === 'uploading' && upload ? await storedParts(tools, upload) : [];
  return { status: statusOnTheWire(version.status), parts };
}

/** None of an upload that ends at this moment. */
async function storedParts({ storage }: FileTools, upload: MultipartUpload): Promise<StoredPart[]> {
  try {
    return await storage.listParts(upload);
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'unknown-upload') return [];
    throw error;
  }
}
