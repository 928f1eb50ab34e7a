import type { TenantDb } from './db.ts';

interface GroupRef {
  readonly partnerId: number;
  readonly groupId: number;
}

export async function keepGroups(db: TenantDb, groups: readonly GroupRef[]): Promise<void> {
  await db.partnerGroup.createMany({ data: [...groups], skipDuplicates: true });
}

export async function dropGroups(db: TenantDb, groups: readonly GroupRef[]): Promise<void> {
  for (const [partnerId, ofPartner] of Map.groupBy(groups, (group) => group.partnerId)) {
    const groupIds = ofPartner.map(({ groupId }) => groupId);
    await db.partnerGroup.deleteMany({ where: { partnerId, groupId: { in: groupIds } } });
  }
}
