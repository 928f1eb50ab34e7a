import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { type PartReference, StorageError } from '@portal/storage';
import { beginVerifying, multipartOf, type Upload } from '../data/version-repository.ts';
import { assertUploadSize } from '../domain/upload.ts';
import type { FileTools } from './file-use-cases.ts';
import { requireUpload, type Uploader } from './uploads.ts';
import type { Verifier } from './verify-upload.ts';

/** The request ends by then; the verification goes on without it. In milliseconds. */
const longestWait = 25_000;

const joinLooks = 25;
const joinLookMs = 200;

/**
 * Ends an upload: with its parts, or without any after a single PUT. It usually answers when the file is complete; for
 * a very large one the verification may still go on. Completing twice is completing once.
 * @throws AppError `E40401`; `E40034` for an upload that was aborted; `E40002` on `file` for bytes that are missing or
 * of another number than was told, on `parts` for what was never stored
 */
export async function completeUpload(
  tools: FileTools & { readonly verifier: Verifier },
  uploader: Uploader,
  uploadId: string,
  parts: readonly PartReference[],
): Promise<void> {
  const { clock, store, verifier } = tools;
  const version = await requireUpload(tools, uploader, uploadId);
  if (version.status === 'complete') return;
  if (version.status === 'aborted') throw new AppError('E40034');
  if (version.status === 'uploading') {
    const received =
      parts.length > 0 ? await joinParts(tools, version, parts) : await receivedBytes(tools, version);
    if (!received) throw fieldError('E40002', 'file', 'fileIncomplete');
    if (version.size !== null && received.size !== version.size) {
      throw fieldError('E40002', 'file', 'fileSizeMismatch');
    }
    assertUploadSize(version.slot, received.size);
    const begun = await store.write(ofPartner(uploader.partnerId), async ({ db }) =>
      beginVerifying(db, version, { ...received, now: clock.now() }),
    );
    if (!begun) return completeUpload(tools, uploader, uploadId, parts);
  }
  const waiting = new AbortController();
  await Promise.race([
    verifier.verify(version),
    sleep(longestWait, undefined, { signal: waiting.signal }).catch(() => undefined),
  ]);
  waiting.abort();
}

interface Received {
  /** Bytes. */
  readonly size: number;
  readonly fromParts: boolean;
}

/** What has arrived without a word of its parts: a single PUT, or parts that an earlier call put together. */
export async function receivedBytes(
  { storage }: Pick<FileTools, 'storage'>,
  { incomingKey, objectKey, storageUploadId }: Upload,
): Promise<Received | undefined> {
  const joined = storageUploadId === null ? undefined : await storage.head(objectKey);
  if (joined) return { size: joined.size, fromParts: true };
  const put = await storage.head(incomingKey);
  return put && { size: put.size, fromParts: false };
}

async function joinParts(
  tools: FileTools,
  version: Upload,
  parts: readonly PartReference[],
): Promise<Received | undefined> {
  const upload = multipartOf(version);
  if (!upload) throw fieldError('E40002', 'file', 'fileIncomplete');
  try {
    const { size } = await tools.storage.completeMultipart(upload, parts);
    return { size, fromParts: true };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    switch (error.reason) {
      case 'missing-part':
        throw fieldError('E40002', 'file', 'fileIncomplete');
      case 'invalid-part':
      case 'wrong-etag':
        throw fieldError('E40002', 'parts', 'invalidValue');
      case 'unknown-upload':
        return joinedElsewhere(tools, version);
      default:
        throw error;
    }
  }
}

/** Another call is putting the parts together at this moment, or did and did not live to say so. */
async function joinedElsewhere(tools: FileTools, version: Upload): Promise<Received | undefined> {
  for (let look = 0; look < joinLooks; look += 1) {
    const received = await receivedBytes(tools, version);
    if (received) return received;
    await sleep(joinLookMs);
  }
  return undefined;
}
