import { Readable } from 'node:stream';
import { fileEvents, limits } from '@portal/contracts';
import { createWorker, type HeldTask, ofPartner, type Worker } from '@portal/service-kit';
import { settleVersion } from '../../approvals/use-cases/settle-version.ts';
import { assignedGroups } from '../../assignments/data/assignment-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Change } from '../../files/data/changes.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { copyWithDigest, type Digest, digestObject } from '../data/object-digest.ts';
import { readIcon } from '../data/package-icon.ts';
import {
  findVersion,
  type ImportUpload,
  keepObject,
  lateArrivalDeadline,
  lockVersion,
  newObjectKey,
  removeLater,
  removeNow,
  reopenUpload,
  setVersion,
  type Upload,
  type Verification,
  type Version,
  verificationQueue,
} from '../data/version-repository.ts';
import { failUpload } from './abort-upload.ts';

const second = 1_000;

/** Verifies uploads whose bytes have arrived: computes the hash, finds the icon, and puts the version in its place. */
export function createVerifier(deps: Dependencies): Worker {
  return createWorker(deps, verificationQueue, {
    atOnce: 2,
    // Short: whoever completes an upload whose verification died waits for it.
    leaseMs: 10 * second,
    retry: { firstMs: second, longestMs: 60 * second },
    work: async (task) => verifyUpload(deps, task),
  });
}

/**
 * May be broken off anywhere and begun again, also by two instances at once: each try writes under keys of its own, which
 * are scheduled for removal beforehand and kept by the instance that finalises the upload.
 */
async function verifyUpload(deps: Dependencies, task: HeldTask<Verification>): Promise<void> {
  const { clock, storage, store } = deps;
  const { payload, signal } = task;
  const { id: versionId, partnerId } = payload;
  const version = await store.read(ofPartner(partnerId), async (db) => findVersion(db, partnerId, versionId));
  if (version?.status !== 'verifying') {
    await store.write(ofPartner(partnerId), async ({ db }) => task.finish(db));
    return;
  }

  const copyKey = newObjectKey(version);
  const iconKey = newObjectKey(version);
  const abandonedAt = new Date(clock.now().getTime() + limits.uploadLifetime);
  await store.write(ofPartner(partnerId), async ({ db }) =>
    removeLater({ db, partnerId }, [copyKey, iconKey], abandonedAt),
  );

  const objectKey = version.fromParts ? version.objectKey : copyKey;
  const digest = version.fromParts
    ? (hashedOnArrival(version) ?? (await digestObject(storage, version.objectKey, signal)))
    : await copyWithDigest(storage, { source: version.incomingKey, target: copyKey }, signal);
  if (digest?.size !== version.size || digest === undefined) {
    // Another PUT came in between: what arrived is not what was reported.
    await store.write(ofPartner(partnerId), async ({ db }) => {
      await task.finish(db);
      await reopenUpload(db, payload);
      await removeNow({ db, partnerId }, [copyKey], clock.now());
    });
    return;
  }
  const icon =
    version.fileId === null ? null : await readIcon(storage, { key: objectKey, size: digest.size });
  if (icon) await storage.put(iconKey, Readable.from([icon]));

  await changeFiles(deps, partnerId, async (change) => {
    await task.finish(change.db);
    const current = await lockVersion(change, versionId);
    if (current?.status !== 'verifying') {
      // Its file was deleted meanwhile.
      await removeNow(change, [copyKey, iconKey], clock.now());
      return;
    }
    const found = { digest, objectKey, iconKey: icon ? iconKey : null, now: clock.now() };
    if (current.fileId === null) await finaliseImport(change, current, found);
    else if (!current.mayDistribute && (await assignedGroups(change, current.fileId)).length > 0) {
      // It got groups while a developer's bytes were verified: nobody who may has said that players get them.
      await failUpload(change, current, 'refused', clock.now());
      await removeNow(change, [copyKey, iconKey], clock.now());
    } else await settle(change, current, found);
  });
}

/** Of parts that the store has hashed while they arrived. */
function hashedOnArrival({ sha256, size }: Upload): Digest | undefined {
  return sha256 === null || size === null ? undefined : { sha256, size };
}

interface Found {
  readonly digest: Digest;
  readonly objectKey: string;
  readonly iconKey: string | null;
  readonly now: Date;
}

/** Whoever takes the bytes may take a day: a joined object goes then, as the copy of a single PUT does anyway. */
async function finaliseImport(change: Change, upload: ImportUpload, found: Found): Promise<void> {
  const { digest, now, objectKey } = found;
  const { importId, incomingKey, partnerId, uploadId } = upload;
  await setVersion(change, upload.id, { status: 'complete', objectKey, sha256: digest.sha256 });
  if (upload.fromParts) {
    await removeLater(change, [objectKey], new Date(now.getTime() + limits.importRetention));
  }
  await removeLater(change, [incomingKey], now);
  await removeLater(change, [incomingKey], lateArrivalDeadline(upload));
  change.outbox.append(fileEvents.uploadCompleted, {
    subject: uploadId,
    partnerId,
    data: { uploadId, purpose: 'users_csv', importId, objectKey, size: digest.size },
  });
}

/** The version is complete: it takes its place, or waits for another admin. */
async function settle(change: Change, version: Version, found: Found): Promise<void> {
  const { digest, iconKey, now, objectKey } = found;
  await setVersion(change, version.id, {
    status: 'complete',
    objectKey,
    iconKey,
    sha256: digest.sha256,
    completedAt: now,
  });
  await keepObject(change, objectKey);
  if (iconKey !== null) await keepObject(change, iconKey);
  await removeLater(change, [version.incomingKey], now);
  await removeLater(change, [version.incomingKey], lateArrivalDeadline(version));
  await settleVersion(change, version, now);
}
