import { limits } from '@portal/contracts';
import type { FileDb } from '../../data/db.ts';
import type { Change } from '../../files/data/changes.ts';

/** How many of the newest versions of each file keep their bytes. */
export async function versionsKept(db: FileDb, partnerId: number): Promise<number> {
  const settings = await db.deliverySettings.findUnique({ where: { partnerId } });
  return settings?.versionsKept ?? limits.versionsKept;
}

export async function saveVersionsKept({ db, partnerId }: Change, kept: number): Promise<void> {
  await db.deliverySettings.upsert({
    where: { partnerId },
    create: { partnerId, versionsKept: kept },
    update: { versionsKept: kept },
  });
}
