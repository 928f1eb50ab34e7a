import type { DocumentDb } from '../../data/db.ts';
import type { DatabaseRef } from '../../store/document-store.ts';

/** Documents are deleted at once, and once more when everybody who was at it has stopped. */
const passes = 2;
const againMs = 10 * 60_000;

/** Has the documents of a database deleted that is gone when the transaction commits. */
export async function addDeletion(
  db: DocumentDb,
  { db: name, partnerId }: DatabaseRef,
  now: Date,
): Promise<void> {
  await db.documentDeletion.create({ data: { name, partnerId, passes, dueAt: now } });
}

/** Of a partner that is deleted. Answers how many databases it had. */
export async function deleteDatabaseOf(
  db: DocumentDb,
  { now, partnerId }: { readonly partnerId: number; readonly now: Date },
): Promise<number> {
  const gone = await db.$queryRaw<{ name: string }[]>`
    DELETE FROM databases WHERE partner_id = ${partnerId} RETURNING name`;
  for (const { name } of gone) await addDeletion(db, { partnerId, db: name }, now);
  return gone.length;
}

/** Deletions that are due, in the scope of all partners. Where an instance dies, they are due again after a while. */
export async function claimDeletions(
  db: DocumentDb,
  { most, now }: { readonly now: Date; readonly most: number },
): Promise<DatabaseRef[]> {
  return db.$queryRaw<DatabaseRef[]>`
    UPDATE document_deletions SET due_at = ${new Date(now.getTime() + againMs)}
    WHERE name IN (SELECT name FROM document_deletions
      WHERE due_at <= ${now} ORDER BY due_at LIMIT ${most} FOR UPDATE SKIP LOCKED)
    RETURNING partner_id AS "partnerId", name AS db`;
}

export async function endPass(db: DocumentDb, { db: name }: DatabaseRef): Promise<void> {
  await db.$executeRaw`UPDATE document_deletions SET passes = passes - 1 WHERE name = ${name}`;
  await db.$executeRaw`DELETE FROM document_deletions WHERE name = ${name} AND passes <= 0`;
}
