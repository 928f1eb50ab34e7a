import type { Language } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { findOffered } from '../../applications/data/reach.ts';
import type { FileDb } from '../../data/db.ts';
import { findFile } from '../../files/data/file-repository.ts';
import { type FileView, findFileView, isDelivered } from '../../files/data/file-views.ts';

/** Whose file is asked about. */
export interface FileOf {
  readonly partnerId: number;
  readonly fileId: number;
}

/**
 * A file of the tenant, or an application that is for it.
 * @throws AppError `E40405` where it has none
 */
export async function requireFile(db: FileDb, { fileId, partnerId }: FileOf): Promise<void> {
  const found = (await findFile(db, partnerId, fileId)) ?? (await findOffered(db, partnerId, fileId));
  if (!found) throw new AppError('E40405');
}

/**
 * The version of a file of the tenant that people are to have now, and through which groups: before its delivery time, without
 * groups or bytes none.
 * @throws AppError `E40405`
 */
export async function findDelivered(
  db: FileDb,
  { fileId, partnerId }: FileOf,
  { language, now }: { readonly now: Date; readonly language: Language },
): Promise<{ version: number | null; groups: FileView['groups'] }> {
  await requireFile(db, { fileId, partnerId });
  const view = await findFileView(db, partnerId, fileId, { now, language });
  if (!view) throw new AppError('E40405');
  return isDelivered(view) ? { version: view.version, groups: view.groups } : { version: null, groups: [] };
}
