import type { MultipartUpload, PartReference, StoredPart } from './object-storage.ts';
import { StorageError } from './storage-error.ts';

/** The bounds of S3, kept by every adapter but for the least part size, so that tests need not move 5 MiB a part. */
const maxParts = 10_000;

export function partCount(upload: Pick<MultipartUpload, 'size' | 'partSize'>): number {
  return Math.ceil(upload.size / upload.partSize);
}

export function assertMultipartSizes(sizes: { size: number; partSize: number }): void {
  const whole = Number.isSafeInteger(sizes.size) && Number.isSafeInteger(sizes.partSize);
  if (!whole || sizes.size < 1 || sizes.partSize < 1 || partCount(sizes) > maxParts) {
    throw new StorageError('wrong-size', `${sizes.size} bytes in parts of ${sizes.partSize}`);
  }
}

/** Where a part lies in the object, in bytes. */
export function partBounds(upload: MultipartUpload, partNumber: number): { offset: number; size: number } {
  if (!Number.isSafeInteger(partNumber) || partNumber < 1 || partNumber > partCount(upload)) {
    throw new StorageError('invalid-part', `part ${partNumber} of ${partCount(upload)}`);
  }
  const offset = (partNumber - 1) * upload.partSize;
  return { offset, size: Math.min(upload.partSize, upload.size - offset) };
}

/** Throws unless `named` are exactly the parts of the upload, each stored under the ETag that the caller knows. */
export function assertAllParts(
  upload: MultipartUpload,
  named: readonly PartReference[],
  stored: readonly StoredPart[],
): void {
  const namedEtags = new Map(named.map((part) => [part.partNumber, unquoted(part.etag)]));
  const storedEtags = new Map(stored.map((part) => [part.partNumber, unquoted(part.etag)]));
  const count = partCount(upload);
  if (named.length > count || [...namedEtags.keys()].some((number) => number < 1 || number > count)) {
    throw new StorageError('invalid-part', `the upload has ${count} parts`);
  }
  for (let number = 1; number <= count; number += 1) {
    const etag = storedEtags.get(number);
    if (etag === undefined || !namedEtags.has(number))
      throw new StorageError('missing-part', `part ${number}`);
    if (etag !== namedEtags.get(number)) throw new StorageError('wrong-etag', `part ${number}`);
  }
}

/** Clients of S3 send ETags with and without their quotes. */
function unquoted(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1');
}
