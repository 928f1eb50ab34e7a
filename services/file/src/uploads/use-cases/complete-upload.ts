import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, fieldError } from '@portal/kernel';
import { concernsRecord, ofPartner, type Worker } from '@portal/service-kit';
import { type PartReference, StorageError } from '@portal/storage';
import { findApprovalOfVersion } from '../../approvals/data/approval-repository.ts';
import { Waiting } from '../../changes/use-cases/conduct.ts';
import { type Editor, mayDistribute } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { findFile } from '../../files/data/file-repository.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { assertRoom } from '../../files/use-cases/storage-quota.ts';
import { beginVerifying, findVersion, multipartOf, type Upload } from '../data/version-repository.ts';
import { faultOfReceived } from '../domain/upload.ts';
import { requireOwnUpload, requireUpload } from './require-upload.ts';

/** The request ends by then; the verification goes on without it. In milliseconds. */
const longestWait = 25_000;

/** For what another call or instance does. */
const joinLooks = 25;
const lookMs = 200;

type UploadDependencies = Dependencies & { readonly verifier: Worker };

/**
 * Ends an upload: with its parts, or without any after a single PUT. It usually answers when the file is complete; for
 * a very large one the verification may still go on. Completing twice is completing once. What is acknowledged stays: one
 * that was taken back before is refused, and from here on it cannot be.
 * @throws AppError `E40401`; `E40301` for a file that has groups, where `uploader` is no administrator; `E40034` for an
 * upload that was aborted, or whose file got groups before an administrator completed it; `E40002` on `file` for bytes that are missing or
 * of another number than declared, on `parts` for parts that were never stored
 */
export async function completeUpload(
  deps: UploadDependencies,
  uploader: Editor,
  uploadId: string,
  parts: readonly PartReference[],
): Promise<Waiting | void> {
  const version = await requireOwnUpload(deps, uploader, uploadId);
  await tellTheLog(deps, version);
  if (version.status === 'uploading') await takeBytes(deps, uploader, version, parts);
  if (version.status !== 'complete') await untilVerified(deps, version);
  switch ((await requireUpload(deps, uploader, uploadId)).status) {
    case 'aborted':
      throw new AppError('E40034');
    case 'uploading':
      // Another PUT came in between: what is there is not what was measured.
      throw fieldError('E40002', 'file', 'fileSizeMismatch');
    case 'verifying':
    case 'complete':
  }
  const { id, partnerId } = version;
  const asked = await deps.store.read(ofPartner(partnerId), async (db) =>
    findApprovalOfVersion(db, partnerId, id),
  );
  if (asked) return new Waiting(asked.id);
}

/** The path names the upload alone: the log is to name its file. */
async function tellTheLog({ store }: Dependencies, { fileId, partnerId }: Upload): Promise<void> {
  if (fileId === null) return;
  const file = await store.read(ofPartner(partnerId), async (db) => findFile(db, partnerId, fileId));
  if (file) concernsRecord(file);
}

async function takeBytes(
  deps: Dependencies,
  uploader: Editor,
  version: Upload,
  parts: readonly PartReference[],
): Promise<void> {
  const received =
    parts.length > 0 ? await joinParts(deps, version, parts) : await receivedBytes(deps, version);
  if (!received) {
    // Nothing is there of an upload that another call has ended meanwhile.
    if (await isOpen(deps, version)) throw fieldError('E40002', 'file', 'fileIncomplete');
    return;
  }
  if (version.size !== null && received.size !== version.size) {
    throw fieldError('E40002', 'file', 'fileSizeMismatch');
  }
  const fault = faultOfReceived(version.slot, received.size);
  if (fault) throw fieldError('E40002', 'file', fault);
  await acceptBytes(deps, version, {
    ...received,
    mayDistribute: mayDistribute(uploader),
    now: deps.clock.now(),
  });
}

/** Checks the quota for an upload whose size was not declared when it was opened: `E40002` on `file` over the quota. */
export async function acceptBytes(
  deps: Dependencies,
  version: Upload,
  facts: Parameters<typeof beginVerifying>[2],
): Promise<void> {
  const { partnerId } = version;
  const quota = version.size === null ? await deps.quotaOf(partnerId) : 0;
  if (quota === 0) {
    await deps.store.write(ofPartner(partnerId), async ({ db }) => beginVerifying(db, version, facts));
    return;
  }
  await changeFiles(deps, partnerId, async (change) => {
    await assertRoom(change, quota, facts.size);
    await beginVerifying(change.db, version, facts);
  });
}

/** Waits until this instance, or whichever has it in hand, has verified the upload or failed to. */
async function untilVerified(
  { store, verifier }: UploadDependencies,
  { id, partnerId }: Upload,
): Promise<void> {
  const waiting = new AbortController();
  const longest = sleep(longestWait, 'over', { signal: waiting.signal }).catch(() => 'over');
  while ((await Promise.race([verifier.runNow(id), longest])) === false) {
    const version = await store.read(ofPartner(partnerId), async (db) => findVersion(db, partnerId, id));
    if (version?.status !== 'verifying') break;
    await sleep(lookMs);
  }
  waiting.abort();
}

async function isOpen({ store }: Pick<Dependencies, 'store'>, { id, partnerId }: Upload): Promise<boolean> {
  const version = await store.read(ofPartner(partnerId), async (db) => findVersion(db, partnerId, id));
  return version?.status === 'uploading';
}

interface Received {
  /** Bytes. */
  readonly size: number;
  readonly fromParts: boolean;
  /** Where the store knows it already. */
  readonly sha256?: string;
}

/** What has arrived without a word of its parts: a single PUT, or parts that an earlier call put together. */
export async function receivedBytes(
  { storage }: Pick<Dependencies, 'storage'>,
  { incomingKey, objectKey, storageUploadId }: Upload,
): Promise<Received | undefined> {
  const joined = storageUploadId === null ? undefined : await storage.head(objectKey);
  if (joined) return { size: joined.size, fromParts: true };
  const put = await storage.head(incomingKey);
  return put && { size: put.size, fromParts: false };
}

async function joinParts(
  deps: Dependencies,
  version: Upload,
  parts: readonly PartReference[],
): Promise<Received | undefined> {
  const upload = multipartOf(version);
  if (!upload) throw fieldError('E40002', 'file', 'fileIncomplete');
  try {
    const { sha256, size } = await deps.storage.completeMultipart(upload, parts);
    return { size, fromParts: true, ...(sha256 !== undefined && { sha256 }) };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    // A store that another call makes join or drop the parts at this moment may list some of them no more.
    const joined = await receivedBytes(deps, version);
    if (joined?.fromParts) return joined;
    if (!(await isOpen(deps, version))) return undefined;
    switch (error.reason) {
      case 'missing-part':
        throw fieldError('E40002', 'file', 'fileIncomplete');
      case 'invalid-part':
      case 'wrong-etag':
        throw fieldError('E40002', 'parts', 'invalidValue');
      case 'unknown-upload':
        return joinedElsewhere(deps, version);
      default:
        throw error;
    }
  }
}

/** Another call is putting the parts together at this moment, or did and did not live to say so. */
async function joinedElsewhere(deps: Dependencies, version: Upload): Promise<Received | undefined> {
  for (let look = 0; look < joinLooks; look += 1) {
    const received = await receivedBytes(deps, version);
    if (received) return received;
    if (!(await isOpen(deps, version))) return undefined;
    await sleep(lookMs);
  }
  return undefined;
}
