import type { UserDb } from '../data/db.ts';
import { makeReady } from '../data/import-repository.ts';

/** The file of an import has come: it can be worked on. One that was given up meanwhile stays so. */
export async function startUserImport(
  db: UserDb,
  file: { partnerId: number; importId: number; objectKey: string; size: number },
  now: Date,
): Promise<void> {
  const { importId, objectKey, partnerId, size } = file;
  await makeReady(db, { id: importId, partnerId }, 'waiting', { objectKey, size: BigInt(size) }, now);
}
