import type { Change } from '../../files/data/changes.ts';
import type { File } from '../../files/data/file-repository.ts';
import { findOpenVersions } from '../../uploads/data/version-repository.ts';
import type { Slot } from '../../uploads/domain/upload.ts';
import { saveNote } from '../data/life-repository.ts';

/**
 * Sets what is said of the version in a slot: of the complete one or, before the first is, of the one that is being uploaded.
 * Nothing where nothing is given, or nothing is there.
 */
export async function noteVersion(
  change: Change,
  file: File,
  slot: Slot,
  note: string | undefined,
): Promise<void> {
  if (note === undefined) return;
  const complete = slot === 'current' ? file.currentVersionId : file.reservedVersionId;
  const ids =
    complete === null ? (await findOpenVersions(change, file.id, slot)).map(({ id }) => id) : [complete];
  for (const id of ids) await saveNote(change, id, note);
}
