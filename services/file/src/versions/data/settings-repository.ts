import { limits } from '@portal/contracts';
import type { FileDb } from '../../data/db.ts';
import type { Change } from '../../files/data/changes.ts';

/** What a tenant has set of its deliveries. */
export interface DeliverySettings {
  /** How many of the newest versions of each file keep their bytes. */
  readonly versionsKept: number;
  /** Whether what people get is changed by two admins. */
  readonly approvalRequired: boolean;
}

export async function deliverySettings(db: FileDb, partnerId: number): Promise<DeliverySettings> {
  const settings = await db.deliverySettings.findUnique({ where: { partnerId } });
  return {
    versionsKept: settings?.versionsKept ?? limits.versionsKept,
    approvalRequired: settings?.approvalRequired ?? false,
  };
}

export async function versionsKept(db: FileDb, partnerId: number): Promise<number> {
  return (await deliverySettings(db, partnerId)).versionsKept;
}

export async function saveDeliverySettings(
  { db, partnerId }: Change,
  settings: DeliverySettings,
): Promise<void> {
  await db.deliverySettings.upsert({
    where: { partnerId },
    create: { partnerId, ...settings },
    update: settings,
  });
}
