import { foldCase, tenantEvents } from '@portal/contracts';
import { copyOfPartners } from '@portal/service-kit';
import type { FileDb } from '../../data/db.ts';

export const {
  contractOf,
  contractReader,
  findPartner,
  knowPartner,
  subscriptions: partnerSubscriptions,
} = copyOfPartners(
  tenantEvents.partnerState
    .pick({
      partnerId: true,
      unitId: true,
      name: true,
      lang: true,
      contractRank: true,
      licenseExpiredOn: true,
      uapFileLimit: true,
      filePublicFlag: true,
    })
    .transform((partner) => ({ ...partner, nameFolded: foldCase(partner.name) })),
);

export async function keepGroups(
  db: FileDb,
  groups: readonly { groupId: number; partnerId: number; name: string }[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO groups (group_id, partner_id, name)
    SELECT "groupId", "partnerId", name
    FROM jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) AS one ("groupId" integer, "partnerId" integer, name text)
    ON CONFLICT (group_id) DO UPDATE SET name = excluded.name`;
}

export async function dropGroup(db: FileDb, partnerId: number, groupId: number): Promise<void> {
  await db.group.deleteMany({ where: { partnerId, groupId } });
}

export async function findGroupByName(
  db: FileDb,
  partnerId: number,
  name: string,
): Promise<number | undefined> {
  return (await db.group.findFirst({ where: { partnerId, name } }))?.groupId;
}
