import type { JobRun } from '@portal/service-kit';
import { findUnwantedFiles, forgetFiles } from '../data/import-repository.ts';
import type { ImportDependencies } from '../dependencies.ts';

const atOnce = 20;

/**
 * Removes the files of imports that are over, however they ended: they may be large, and hold passwords. What the store does
 * not remove now is tried again; the file service forgets it after a day.
 */
export async function removeImportFiles(
  { logger, storage, store }: ImportDependencies,
  { scope }: Pick<JobRun, 'scope'>,
): Promise<void> {
  try {
    const files = await store.read(scope, (db) => findUnwantedFiles(db, atOnce));
    if (files.length === 0) return;
    for (const { objectKey } of files) await storage.delete(objectKey);
    const ids = files.map(({ id }) => id);
    await store.write(scope, ({ db }) => forgetFiles(db, ids));
  } catch (error) {
    logger.warn({ err: error }, 'Files of imports could not be removed');
  }
}
