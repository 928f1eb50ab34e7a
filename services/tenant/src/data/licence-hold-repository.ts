import type { TenantDb } from './db.ts';
import type { LicenceHold } from './generated/client.ts';

/** Which hold of a partner. */
export interface HoldKey {
  readonly partnerId: number;
  readonly holdId: string;
}

/** Whether the partner had no hold yet, and has this one now. */
export async function insertHold(db: TenantDb, hold: HoldKey, until: Date): Promise<boolean> {
  const made = await db.licenceHold.createMany({
    data: [{ ...hold, status: 'asked', until }],
    skipDuplicates: true,
  });
  return made.count > 0;
}

export async function findHold(
  db: TenantDb,
  { holdId, partnerId }: HoldKey,
): Promise<Pick<LicenceHold, 'status' | 'inUse'> | null> {
  return db.licenceHold.findUnique({
    where: { partnerId, holdId },
    select: { status: true, inUse: true },
  });
}

/** What nobody waits for any more is passed over. */
export async function answerHold(
  db: TenantDb,
  { holdId, partnerId }: HoldKey,
  { held, inUse }: { readonly held: boolean; readonly inUse: number },
): Promise<void> {
  await db.licenceHold.updateMany({
    where: { partnerId, holdId, status: 'asked' },
    data: { status: held ? 'held' : 'refused', inUse },
  });
}

/** Answers whether there was such a hold. */
export async function deleteHold(db: TenantDb, { holdId, partnerId }: HoldKey): Promise<boolean> {
  return (await db.licenceHold.deleteMany({ where: { partnerId, holdId } })).count > 0;
}

/** Holds that nobody waits for since `time`. */
export async function holdsUntil(db: TenantDb, time: Date, most: number): Promise<HoldKey[]> {
  return db.licenceHold.findMany({
    where: { until: { lte: time } },
    orderBy: { until: 'asc' },
    take: most,
    select: { partnerId: true, holdId: true },
  });
}
