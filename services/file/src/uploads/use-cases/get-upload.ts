import type { StoredPart } from '@portal/storage';
import type { Editor } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { multipartOf } from '../data/version-repository.ts';
import { partSize, statusOnTheWire } from '../domain/upload.ts';
import { requireUpload } from './require-upload.ts';
import { storedParts } from './stored-parts.ts';

/** How far an upload has come: what a client needs to go on with it. */
export async function getUpload(
  deps: Dependencies,
  uploader: Editor,
  uploadId: string,
): Promise<{ status: 'uploading' | 'complete' | 'aborted'; partSize: number; parts: StoredPart[] }> {
  const version = await requireUpload(deps, uploader, uploadId);
  const upload = multipartOf(version);
  const parts = version.status === 'uploading' && upload ? await storedParts(deps, upload) : [];
  return { status: statusOnTheWire(version.status), partSize, parts };
}
