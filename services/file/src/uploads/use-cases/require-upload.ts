import { AppError } from '@portal/kernel';
import {
  assertMayChangeDelivery,
  type Editor,
  mayDistribute,
  scopeOf,
} from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { findUpload, type Upload } from '../data/version-repository.ts';

const anyUploadId = /^[0-9a-f-]{36}$/;

/** @throws AppError `E40401` for an upload that is not one of theirs, or an import's where they may make none */
export async function requireUpload(
  { store }: Pick<Dependencies, 'store'>,
  uploader: Editor,
  uploadId: string,
): Promise<Upload> {
  const { partnerId } = uploader;
  if (!anyUploadId.test(uploadId)) throw new AppError('E40401');
  const upload = await store.read(scopeOf(uploader), async (db) => findUpload(db, partnerId, uploadId));
  if (!upload) throw new AppError('E40401');
  if (upload.fileId === null && !mayDistribute(uploader)) throw new AppError('E40401');
  return upload;
}

/**
 * As `requireUpload`, for a caller who sends its bytes or ends it.
 * @throws AppError `E40401`; `E40301` for a file that has groups, where they are no administrator
 */
export async function requireOwnUpload(
  deps: Pick<Dependencies, 'store'>,
  uploader: Editor,
  uploadId: string,
): Promise<Upload> {
  const upload = await requireUpload(deps, uploader, uploadId);
  const { fileId, partnerId } = upload;
  if (fileId === null) return upload;
  await deps.store.read(scopeOf(uploader), async (db) =>
    assertMayChangeDelivery({ db, partnerId }, uploader, fileId),
  );
  return upload;
}
