import { Readable } from 'node:stream';
import { fileEvents, limits } from '@portal/contracts';
import { everything, ofPartner } from '@portal/service-kit';
import { assignedGroups } from '../data/assignment-repository.ts';
import type { Change } from '../data/changes.ts';
import { requireFile, saveFile } from '../data/file-repository.ts';
import { copyWithDigest, type Digest, digestObject } from '../data/object-digest.ts';
import { readIcon } from '../data/package-icon.ts';
import {
  findVersion,
  findVersionsByStatus,
  type ImportUpload,
  keepObject,
  lateArrival,
  lockVersion,
  newObjectKey,
  removeLater,
  removeNow,
  reopenUpload,
  setVersion,
  type Version,
} from '../data/version-repository.ts';
import { takeBack } from './abort-upload.ts';
import { changeFiles, type FileTools } from './file-use-cases.ts';
import { appendReleased, releaseVersion, settleUpdate } from './settle-update.ts';

/** Verifies uploads whose bytes have arrived: computes the hash, finds the icon, and puts the version in its place. */
export interface Verifier {
  /** Resolves when the upload is settled, or when this try failed; the job will try again. Repeats share one run. */
  verify(version: Pick<Version, 'id' | 'partnerId'>): Promise<void>;
  /** Takes up what was left by a process that died, and what failed. */
  resume(): Promise<void>;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
}

/** So long, in milliseconds, an upload is left to the instance that began to verify it. */
const patience = 60_000;
const batch = 20;

export function createVerifier(tools: FileTools): Verifier {
  const { clock, logger, store } = tools;
  const running = new Map<number, Promise<void>>();
  let patient = false;

  function verify({ id, partnerId }: Pick<Version, 'id' | 'partnerId'>): Promise<void> {
    const inHand = running.get(id);
    if (inHand) return inHand;
    const run = verifyUpload(tools, partnerId, id)
      .catch((error: unknown) =>
        logger.error({ err: error, partnerId, versionId: id }, 'Verification failed'),
      )
      .finally(() => running.delete(id));
    running.set(id, run);
    return run;
  }

  return {
    verify,
    async resume() {
      const left = await store.read(everything, async (db) =>
        findVersionsByStatus(db, { status: 'verifying', limit: batch }),
      );
      // What is found at the start was left by a process that is gone.
      const before = clock.now().getTime() - (patient ? patience : 0);
      patient = true;
      for (const version of left) {
        if ((version.verifyingAt?.getTime() ?? 0) <= before) await verify(version);
      }
    },
    async idle() {
      await Promise.all(running.values());
    },
  };
}

/**
 * May be broken off anywhere and begun again, also by two instances at once: each try writes under keys of its own, which
 * are let go beforehand and kept by the one that gets to settle the upload.
 */
async function verifyUpload(tools: FileTools, partnerId: number, versionId: number): Promise<void> {
  const { clock, storage, store } = tools;
  const version = await store.read(ofPartner(partnerId), async (db) => findVersion(db, partnerId, versionId));
  if (version?.status !== 'verifying') return;

  const copyKey = newObjectKey(version);
  const iconKey = newObjectKey(version);
  const abandonedAt = new Date(clock.now().getTime() + limits.uploadLifetime);
  await store.write(ofPartner(partnerId), async ({ db }) =>
    removeLater({ db, partnerId }, [copyKey, iconKey], abandonedAt),
  );

  const objectKey = version.fromParts ? version.objectKey : copyKey;
  const digest = version.fromParts
    ? await digestObject(storage, version.objectKey)
    : await copyWithDigest(storage, version.incomingKey, copyKey);
  if (digest?.size !== version.size || digest === undefined) {
    // Another PUT came in between: what arrived is not what was reported.
    await store.write(ofPartner(partnerId), async ({ db }) => {
      await reopenUpload(db, version);
      await removeNow({ db, partnerId }, [copyKey], clock.now());
    });
    return;
  }
  const icon =
    version.fileId === null ? null : await readIcon(storage, { key: objectKey, size: digest.size });
  if (icon) await storage.put(iconKey, Readable.from([icon]));

  await changeFiles(tools, partnerId, async (change) => {
    const current = await lockVersion(change, versionId);
    if (current?.status !== 'verifying') {
      // Its file was deleted meanwhile, or another instance has settled it.
      await removeNow(change, [copyKey, iconKey], clock.now());
      return;
    }
    const found = { digest, objectKey, iconKey: icon ? iconKey : null, now: clock.now() };
    if (current.fileId === null) await settleImport(change, current, found);
    else if (!current.mayDistribute && (await assignedGroups(change, current.fileId)).length > 0) {
      // It got groups while a developer's bytes were verified: nobody who may has said that players get them.
      await takeBack(change, current, clock.now());
      await removeNow(change, [copyKey, iconKey], clock.now());
    } else await settle(change, current, found);
  });
}

interface Found {
  readonly digest: Digest;
  readonly objectKey: string;
  readonly iconKey: string | null;
  readonly now: Date;
}

/** Whoever takes the bytes may take a day: a joined object goes then, as the copy of a single PUT does anyway. */
async function settleImport(change: Change, upload: ImportUpload, found: Found): Promise<void> {
  const { digest, now, objectKey } = found;
  const { importId, incomingKey, partnerId, uploadId } = upload;
  await setVersion(change, upload.id, { status: 'complete', objectKey, sha256: digest.sha256 });
  if (upload.fromParts) {
    await removeLater(change, [objectKey], new Date(now.getTime() + limits.importRetention));
  }
  await removeLater(change, [incomingKey], now);
  await removeLater(change, [incomingKey], lateArrival(upload));
  change.outbox.append(fileEvents.uploadCompleted, {
    subject: uploadId,
    partnerId,
    data: { uploadId, purpose: 'users_csv', importId, objectKey, size: digest.size },
  });
}

/** The version is complete: it takes its place, and what it replaces goes. */
async function settle(change: Change, version: Version, found: Found): Promise<void> {
  const { digest, iconKey, now, objectKey } = found;
  const { fileId, id, partnerId, slot } = version;
  await setVersion(change, id, { status: 'complete', objectKey, iconKey, sha256: digest.sha256 });
  await keepObject(change, objectKey);
  if (iconKey !== null) await keepObject(change, iconKey);
  await removeLater(change, [version.incomingKey], now);
  await removeLater(change, [version.incomingKey], lateArrival(version));

  const before = await settleUpdate(change, await requireFile(change.db, partnerId, fileId), now);
  const isUpdate = before.currentVersionId !== null;
  const placed =
    slot === 'current'
      ? { currentVersionId: id, version: before.version + 1, completedAt: before.completedAt ?? now }
      : { reservedVersionId: id };
  await releaseVersion(change, slot === 'current' ? before.currentVersionId : before.reservedVersionId, now);
  const file = await saveFile(change, { ...before, ...placed, updatedAt: now });
  change.outbox.append(fileEvents.fileUploaded, {
    subject: fileId,
    partnerId,
    data: {
      fileId,
      version: slot === 'current' ? file.version : file.version + 1,
      fileName: file.fileName,
      fileSize: digest.size,
      sha256: digest.sha256,
      reserved: slot === 'reserved',
    },
  });
  if (slot === 'current' && isUpdate) appendReleased(change, file);
  // An update that was complete only after its time takes effect now.
  await settleUpdate(change, file, now);
}
