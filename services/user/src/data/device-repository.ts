import type { UserDb } from './db.ts';
import type { Device } from './generated/client.ts';

/** What a player says of its device when it signs in. */
export interface Platform {
  readonly uuid: string;
  readonly name: string;
  readonly osType: string;
  readonly osVersion: string;
  readonly playerVersion: string;
}

type DeviceChanges = Partial<Pick<Device, 'name' | 'osType' | 'osVersion' | 'playerVersion' | 'lastLoginAt'>>;

/** Changes the device if it is this account's. Answers which registration it is; null where it is none. */
export async function changeDevice(
  db: UserDb,
  device: { readonly partnerId: number; readonly accountId: number; readonly uuid: string },
  changes: DeviceChanges,
): Promise<number | null> {
  const { accountId, partnerId, uuid } = device;
  const [changed] = await db.device.updateManyAndReturn({
    where: { partnerId, accountId, uuid },
    data: changes,
    select: { registration: true },
  });
  return changed?.registration ?? null;
}

/** Answers the number of the registration. */
export async function insertDevice(
  db: UserDb,
  owner: { readonly partnerId: number; readonly accountId: number },
  platform: Platform,
  now: Date,
): Promise<number> {
  const { registration } = await db.device.create({
    data: { ...owner, ...platform, createdAt: now, lastLoginAt: now },
    select: { registration: true },
  });
  return registration;
}

export async function findDevice(db: UserDb, partnerId: number, uuid: string): Promise<Device | null> {
  return db.device.findUnique({ where: { partnerId_uuid: { partnerId, uuid } } });
}

/** Holds the device until the transaction ends. */
export async function lockDevice(db: UserDb, partnerId: number, uuid: string): Promise<Device | null> {
  await db.$queryRaw`SELECT 1 FROM devices WHERE partner_id = ${partnerId} AND uuid = ${uuid} FOR UPDATE`;
  return findDevice(db, partnerId, uuid);
}

export async function deleteDevice(db: UserDb, partnerId: number, uuid: string): Promise<void> {
  await db.device.delete({ where: { partnerId_uuid: { partnerId, uuid } } });
}

/** However many they are, this looks at a few rows: whoever registers a device asks, while others wait for the tenant. */
export async function countDevices(db: UserDb, partnerId: number): Promise<number> {
  const { _sum } = await db.userTally.aggregate({ where: { partnerId }, _sum: { devices: true } });
  return _sum.devices ?? 0;
}

export async function countDevicesOf(db: UserDb, partnerId: number, accountId: number): Promise<number> {
  return db.device.count({ where: { partnerId, accountId } });
}

/** Takes the devices of these accounts away, but those named in `staying`. Answers what was taken from whom. */
export async function removeDevices(
  db: UserDb,
  partnerId: number,
  accountIds: readonly number[],
  staying: readonly string[] = [],
): Promise<{ accountId: number; uuid: string; registration: number }[]> {
  return db.$queryRaw<{ accountId: number; uuid: string; registration: number }[]>`
    DELETE FROM devices
    WHERE partner_id = ${partnerId} AND account_id = ANY(${[...accountIds]}::integer[])
      AND uuid <> ALL(${[...staying]}::text[])
    RETURNING account_id AS "accountId", uuid, registration`;
}
