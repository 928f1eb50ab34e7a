import type { FileDb } from './db.ts';

export async function keepPartner(
  db: FileDb,
  partner: { partnerId: number; uapFileLimit: number },
): Promise<void> {
  const { partnerId, uapFileLimit } = partner;
  await db.partner.upsert({
    where: { partnerId },
    create: { partnerId, uapFileLimit },
    update: { uapFileLimit },
  });
}

export async function keepGroup(
  db: FileDb,
  group: { groupId: number; partnerId: number; name: string },
): Promise<void> {
  const { groupId, name, partnerId } = group;
  // Found by its id alone, it is one statement, which does not mind that the group is being kept at this moment.
  await db.group.upsert({
    where: { groupId },
    create: { groupId, partnerId, name },
    update: { name },
  });
}

/** Keeps those groups of which no event has told yet. */
export async function keepUnheardGroups(
  db: FileDb,
  partnerId: number,
  groups: readonly { id: number; name: string }[],
): Promise<void> {
  await db.group.createMany({
    data: groups.map(({ id: groupId, name }) => ({ groupId, partnerId, name })),
    skipDuplicates: true,
  });
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

export async function knowsPartner(db: FileDb, partnerId: number): Promise<boolean> {
  return (await db.partner.count({ where: { partnerId, uapFileLimit: { not: null } } })) > 0;
}
