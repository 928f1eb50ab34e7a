import { keptPlan, type RawQueries } from '@portal/database';
import { placeOf } from '../domain/place.ts';
import { haltedOf, isPlain, type Layer, layerFor, type Plan } from '../domain/plan.ts';

/** Whose files are asked about. */
export interface Player {
  readonly partnerId: number;
  readonly userId: number;
  /** Of their device; null: it is not known. Absent: all devices of the person. */
  readonly uuid?: string | null | undefined;
}

interface DeviceOfPlayer {
  readonly uuid: string | null;
  /** Null: it is not known, or there is none. */
  readonly place: number | null;
  hasInstalledOf(fileId: number, version: number): boolean;
}

/** Who somebody is to stages: their groups, and for each device what it has. A person without a device is as one without a place. */
export interface KnownPlayer {
  readonly groupIds: readonly number[];
  /** The groups that they were in after the change that was asked about. */
  readonly groupIdsThen: readonly number[];
  readonly devices: readonly DeviceOfPlayer[];
}

/** Reads who somebody is, as far as these plans ask. */
export async function knowPlayer(
  db: RawQueries,
  player: Player,
  plans: Iterable<Plan>,
  { change }: { readonly change?: number } = {},
): Promise<KnownPlayer> {
  const { partnerId, userId, uuid } = player;
  const memberships = await db.$queryRaw<
    { groupId: number; addedIn: bigint | string; removedIn: bigint | string | null }[]
  >`
    SELECT ${keptPlan} group_id AS "groupId", added_in AS "addedIn", removed_in AS "removedIn" FROM memberships
    WHERE partner_id = ${partnerId} AND user_id = ${userId}`;
  const uuids =
    uuid === undefined
      ? (
          await db.$queryRaw<{ uuid: string }[]>`
            SELECT uuid FROM devices WHERE partner_id = ${partnerId} AND user_id = ${userId}`
        ).map((device) => device.uuid)
      : [uuid];
  const installed = await installedOf(db, player, [...plans]);
  const devices = uuids.map((one) => ({
    uuid: one,
    place: one === null ? null : placeOf(one),
    hasInstalledOf: (fileId: number, version: number) => installed.has(`${fileId} ${version} ${one}`),
  }));
  return {
    groupIds: memberships.filter(({ removedIn }) => removedIn === null).map(({ groupId }) => groupId),
    groupIdsThen: memberships
      .filter(
        ({ addedIn, removedIn }) =>
          change !== undefined &&
          Number(addedIn) <= change &&
          (removedIn === null || Number(removedIn) > change),
      )
      .map(({ groupId }) => groupId),
    devices: devices.length > 0 ? devices : [{ uuid: null, place: null, hasInstalledOf: () => false }],
  };
}

/** What is installed of versions that were halted. */
async function installedOf(
  db: RawQueries,
  { partnerId, userId, uuid }: Player,
  plans: readonly Plan[],
): Promise<ReadonlySet<string>> {
  const halted = plans.flatMap((plan) =>
    haltedOf(plan).map(({ version }) => ({ fileId: plan.fileId, version })),
  );
  if (halted.length === 0 || uuid === null) return new Set();
  const rows = await db.$queryRaw<{ fileId: number; version: number; uuid: string }[]>`
    SELECT ${keptPlan} receipt.file_id AS "fileId", receipt.version, device.uuid
    FROM devices device
    CROSS JOIN jsonb_to_recordset(${JSON.stringify(halted)}::jsonb) AS one ("fileId" integer, version integer)
    JOIN receipts receipt ON receipt.file_id = one."fileId" AND receipt.version = one.version AND receipt.device_id = device.id
    WHERE device.partner_id = ${partnerId} AND device.user_id = ${userId} AND receipt.status = 'installed'`;
  return new Set(rows.map(({ fileId, uuid: of, version }) => `${fileId} ${version} ${of}`));
}

/** The newest version of a file that any device of somebody whom it reaches is to have. */
export function layerOf(
  plan: Plan,
  { devices }: KnownPlayer,
  groupIds: readonly number[],
): Layer | undefined {
  return devices
    .map(({ hasInstalledOf, place }) =>
      layerFor(plan, { groupIds, place, hasInstalled: (version) => hasInstalledOf(plan.fileId, version) }),
    )
    .reduce((best, layer) => (layer && (!best || layer.version > best.version) ? layer : best), undefined);
}

/** The version of each of these files that somebody is to have, where not all have the current one; null: none. */
export async function chosenLayers(
  db: RawQueries,
  player: Player,
  plans: ReadonlyMap<number, Plan>,
): Promise<Map<number, Layer | null>> {
  const staged = [...plans.values()].filter((plan) => !isPlain(plan));
  if (staged.length === 0) return new Map();
  const who = await knowPlayer(db, player, staged);
  return new Map(staged.map((plan) => [plan.fileId, layerOf(plan, who, who.groupIds) ?? null]));
}
