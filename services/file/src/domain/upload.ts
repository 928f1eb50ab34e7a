import { limits } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';

/** Bytes of every part but the last: few enough of them for the largest file, small enough to be sent again. */
export const partSize = 8 * 1024 * 1024;

/** What an upload becomes when it is complete. A file has at most one open upload for each. */
export type Slot = 'current' | 'reserved';
/** What an upload is for; `users_csv` becomes no file. */
type Purpose = Slot | 'users_csv';

/** Bytes that an upload may have. */
export function largestOf(purpose: Purpose): number {
  return purpose === 'users_csv' ? limits.maxImportSize : limits.maxFileSize;
}

/** Refuses more bytes than an upload may have, and none: `E40002` on `file`. */
export function assertUploadSize(purpose: Purpose, bytes: number): void {
  if (bytes < 1) throw fieldError('E40002', 'file', 'fileEmpty');
  if (bytes > largestOf(purpose)) throw fieldError('E40002', 'file', 'fileTooLarge');
}

/** `verifying`: the bytes are there, and are being hashed. */
export type VersionStatus = 'uploading' | 'verifying' | 'complete' | 'aborted';

/** What clients are told: until the hash is known an upload is not over. */
export function statusOnTheWire(status: VersionStatus): 'uploading' | 'complete' | 'aborted' {
  return status === 'verifying' ? 'uploading' : status;
}

/**
 * A new upload takes the place of an open one that never got its bytes: the client that began it may be gone. One
 * whose bytes are being verified is about to be complete: `E40019`.
 */
export function assertReplaceable(open: { readonly status: VersionStatus } | null): void {
  if (open?.status === 'verifying') throw new AppError('E40019');
}
