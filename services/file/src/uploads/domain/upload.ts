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

/** Refuses to open an upload of more bytes than it may have, or of none: `E40002` on `file`. */
export function assertUploadSize(purpose: Purpose, bytes: number): void {
  const fault = faultOfSize(purpose, bytes);
  if (fault) throw fieldError('E40002', 'file', fault);
}

/**
 * What is wrong with so many bytes that have arrived. The empty file of an import is taken: the import ends as failed, which is
 * what its caller waits for.
 */
export function faultOfReceived(purpose: Purpose, bytes: number): SizeFault | undefined {
  return purpose === 'users_csv' && bytes === 0 ? undefined : faultOfSize(purpose, bytes);
}

type SizeFault = 'fileEmpty' | 'fileTooLarge';

function faultOfSize(purpose: Purpose, bytes: number): SizeFault | undefined {
  if (bytes < 1) return 'fileEmpty';
  return bytes > largestOf(purpose) ? 'fileTooLarge' : undefined;
}

/** `verifying`: the bytes are there, and are being hashed. */
export type VersionStatus = 'uploading' | 'verifying' | 'complete' | 'aborted';

/** The status for clients: until the hash is known, an upload is not complete. */
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
