import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { type PartReference, StorageError } from '@portal/storage';
import { beginVerifying, findVersion, multipartOf, type Upload } from '../data/version-repository.ts';
import { assertUploadSize } from '../domain/upload.ts';
import { type Editor, mayDistribute } from './distribution.ts';
import { changeFiles, type FileTools } from './file-use-cases.ts';
import { assertRoom } from './storage-quota.ts';
import { requireOwnUpload, requireUpload } from './uploads.ts';
import type { Verifier } from './verify-upload.ts';

/** The request ends by then; the verification goes on without it. In milliseconds. */
const longestWait = 25_000;

const joinLooks = 25;
const joinLookMs = 200;

/**
 * Ends an upload: with its parts, or without any after a single PUT. It usually answers when the file is complete; for
 * a very large one the verification may still go on. Completing twice is completing once. What is acknowledged stays: one
 * that was taken back before is refused, and from here on it cannot be.
 * @throws AppError `E40401`; `E40301` for a file that has groups, where `uploader` is no administrator; `E40034` for an
 * upload that was aborted, or whose file got groups before an administrator completed it; `E40002` on `file` for bytes that are missing or
 * of another number than was told, on `parts` for what was never stored
 */
export async function completeUpload(
  tools: FileTools & { readonly verifier: Verifier },
  uploader: Editor,
  uploadId: string,
  parts: readonly PartReference[],
): Promise<void> {
  const version = await requireOwnUpload(tools, uploader, uploadId);
  if (version.status === 'uploading') await takeBytes(tools, uploader, version, parts);
  if (version.status !== 'complete') await untilVerified(tools.verifier, version);
  switch ((await requireUpload(tools, uploader, uploadId)).status) {
    case 'aborted':
      throw new AppError('E40034');
    case 'uploading':
      // Another PUT came in between: what is there is not what was measured.
      throw fieldError('E40002', 'file', 'fileSizeMismatch');
    case 'verifying':
    case 'complete':
  }
}

async function takeBytes(
  tools: FileTools,
  uploader: Editor,
  version: Upload,
  parts: readonly PartReference[],
): Promise<void> {
  const received =
    parts.length > 0 ? await joinParts(tools, version, parts) : await receivedBytes(tools, version);
  if (!received) {
    // Nothing is there of an upload that another call has ended meanwhile.
    if (await isOpen(tools, version)) throw fieldError('E40002', 'file', 'fileIncomplete');
    return;
  }
  if (version.size !== null && received.size !== version.size) {
    throw fieldError('E40002', 'file', 'fileSizeMismatch');
  }
  assertUploadSize(version.slot, received.size);
  await acceptBytes(tools, version, {
    ...received,
    mayDistribute: mayDistribute(uploader),
    now: tools.clock.now(),
  });
}

/** Of an upload whose size was not told when it was opened, the bytes count now. `E40002` on `file` over the quota. */
export async function acceptBytes(
  tools: FileTools,
  version: Upload,
  facts: Parameters<typeof beginVerifying>[2],
): Promise<void> {
  const { partnerId } = version;
  const quota = version.size === null ? await tools.quotaOf(partnerId) : 0;
  if (quota === 0) {
    await tools.store.write(ofPartner(partnerId), async ({ db }) => beginVerifying(db, version, facts));
    return;
  }
  await changeFiles(tools, partnerId, async (change) => {
    await assertRoom(change, quota, facts.size);
    await beginVerifying(change.db, version, facts);
  });
}

async function untilVerified(verifier: Verifier, version: Upload): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([
    verifier.verify(version),
    sleep(longestWait, undefined, { signal: waiting.signal }).catch(() => undefined),
  ]);
  waiting.abort();
}

async function isOpen({ store }: Pick<FileTools, 'store'>, { id, partnerId }: Upload): Promise<boolean> {
  const version = await store.read(ofPartner(partnerId), async (db) => findVersion(db, partnerId, id));
  return version?.status === 'uploading';
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
    // A store that another call makes join or drop the parts at this moment may list some of them no more.
    const joined = await receivedBytes(tools, version);
    if (joined?.fromParts) return joined;
    if (!(await isOpen(tools, version))) return undefined;
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
    if (!(await isOpen(tools, version))) return undefined;
    await sleep(joinLookMs);
  }
  return undefined;
}
