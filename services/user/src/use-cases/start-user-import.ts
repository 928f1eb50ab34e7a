import type { UserDb } from '../data/db.ts';
import { keepUnwantedFile, makeReady } from '../data/import-repository.ts';

/** The file of an import has come: it can be worked on. That of one that was given up meanwhile goes. */
export async function startUserImport(
  db: UserDb,
  file: { partnerId: number; importId: number; objectKey: string; size: number },
  now: Date,
): Promise<void> {
  const { importId, objectKey, partnerId, size } = file;
  const key = { id: importId, partnerId };
  const isAwaited = await makeReady(db, key, 'waiting', { objectKey, size: BigInt(size) }, now);
  if (!isAwaited) await keepUnwantedFile(db, key, objectKey);
}
