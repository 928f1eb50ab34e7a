import { isUniqueViolation } from '@portal/database';
import { AppError, fieldError } from '@portal/kernel';
import type { Dependencies } from '../../dependencies.ts';
import type { Creator, Version } from '../../uploads/data/version-repository.ts';
import { openUpload } from '../../uploads/use-cases/open-upload.ts';
import type { Change } from '../data/changes.ts';
import { countUapFiles, type File, fileNameIndex, insertFile } from '../data/file-repository.ts';
import { assertPackage, countsAsUap } from '../domain/package.ts';
import { changeFiles } from './change-files.ts';

export interface NewFile {
  readonly partnerId: number;
  readonly name: string;
  readonly note: string;
  readonly fileName: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly fingerprint: string | undefined;
  /** Any time: on creation reservations are always valid. */
  readonly deliverReservationAt: Date | null;
  readonly creator: Creator | null;
  /** What is said of the first version. */
  readonly versionNote: string;
}

export interface CreatedFile {
  readonly id: number;
  /** Whose upload is open. */
  readonly version: Version;
}

/**
 * Registers a file and opens the upload of its first version.
 * @throws AppError `E40002` on `file` for what is no package or over the quota, `E40018` over the limit, `E40026` on `fileName`
 */
export async function createFile(deps: Dependencies, file: NewFile): Promise<CreatedFile> {
  const { fileSize: size, partnerId } = file;
  const created = await register(deps, { ...file, size, unattended: false, nameField: 'fileName' });
  deps.logger.info({ partnerId, fileId: created.id, size }, 'File registered');
  return created;
}

/**
 * Registers a file whose client sends the bytes with one PUT and says no more: the service finds them by itself.
 * @throws AppError as `createFile`, with `E40026` on `name`
 */
export async function createSingleFile(
  deps: Dependencies,
  file: {
    partnerId: number;
    name: string;
    fileSize: number | undefined;
    fingerprint: string | undefined;
    creator: Creator | null;
  },
): Promise<CreatedFile> {
  const { creator, fileSize: size, fingerprint, name, partnerId } = file;
  return register(deps, {
    partnerId,
    name,
    note: '',
    fileName: name,
    size,
    fingerprint,
    deliverReservationAt: null,
    creator,
    versionNote: '',
    unattended: true,
    nameField: 'name',
  });
}

async function register(
  deps: Dependencies,
  registered: Omit<NewFile, 'fileSize'> & {
    size: number | undefined;
    unattended: boolean;
    /** Where the client gave the file name. */
    nameField: string;
  },
): Promise<CreatedFile> {
  const {
    creator,
    fingerprint,
    nameField,
    partnerId,
    size,
    unattended,
    versionNote: note,
    ...fields
  } = registered;
  assertPackage(fields.fileName, size);
  const quota = await deps.quotaOf(partnerId);
  try {
    return await changeFiles(deps, partnerId, async (change) => {
      if (countsAsUap(fields.fileName)) await assertWithinLimit(change);
      const file: File = await insertFile(change, {
        name: fields.name,
        note: fields.note,
        fileName: fields.fileName,
        deliverReservationAt: fields.deliverReservationAt,
        now: deps.clock.now(),
      });
      return {
        id: file.id,
        version: await openUpload(deps, change, {
          file,
          slot: 'current',
          size,
          fingerprint,
          quota,
          creator,
          note,
          unattended,
        }),
      };
    });
  } catch (error) {
    if (isUniqueViolation(error, fileNameIndex)) throw fieldError('E40026', nameField, 'notUnique');
    throw error;
  }
}

/** Counted under the lock of the tenant: two files at one moment do not take the same last place. */
async function assertWithinLimit(change: Change): Promise<void> {
  const { uapFileLimit } = change;
  // The event of the tenant service about this tenant has not arrived yet; it will within moments.
  if (uapFileLimit === null) throw new AppError('E50301');
  if (uapFileLimit > 0 && (await countUapFiles(change)) >= uapFileLimit) throw new AppError('E40018');
}
