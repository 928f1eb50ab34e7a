import type { PushDb } from '../../data/db.ts';

/** Forgets who was told of a deleted file. */
export async function forgetFilePushes(db: PushDb, partnerId: number, fileId: number): Promise<void> {
  await db.filePush.deleteMany({ where: { partnerId, fileId } });
}

/** With which certification of its own a partner sends what nobody has chosen one for: the one that it made last. Null without any. */
export async function latestCertification(db: PushDb, partnerId: number): Promise<number | null> {
  const latest = await db.certification.findFirst({
    where: { partnerId },
    orderBy: { id: 'desc' },
    select: { id: true },
  });
  return latest?.id ?? null;
}
