import type { RawQueries } from '@portal/database';
import { placeOf } from '../domain/place.ts';
import { haltedOf, isPlain, type Layer, layerFor, type Plan } from '../domain/plan.ts';

/** Whose files are asked about. */
export interface Player {
  readonly partnerId: number;
  readonly userId: number;
  /** Of their device; null: it is not known. Absent: all devices of the person. */
  readonly uuid?: string | null | undefined;
}

/** In which group somebody is or was, between which changes of the tenant. */
export interface Membership {
  readonly groupId: number;
  readonly addedIn: number;
  /** Null: they are in it. */
  readonly removedIn: number | null;
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
): Promise<KnownPlayer> {
  const { partnerId, userId } = player;
  const memberships = await db.$queryRaw<Pick<Membership, 'groupId'>[]>`
    SELECT group_id AS "groupId" FROM memberships
    WHERE partner_id = ${partnerId} AND user_id = ${userId} AND removed_in IS NULL`;
  return {
    groupIds: memberships.map(({ groupId }) => groupId),
    groupIdsThen: [],
    devices: await devicesOf(db, player, [...plans]),
  };
}

/** The same of somebody whose groups are known, as far as these plans ask; with those that they were in after `change`. */
export async function knowMember(
  db: RawQueries,
  player: Player & { readonly memberships: readonly Membership[] },
  plans: Iterable<Plan>,
  change: number,
): Promise<KnownPlayer> {
  const { memberships } = player;
  const idsOf = (some: readonly Membership[]) => some.map(({ groupId }) => groupId);
  return {
    groupIds: idsOf(memberships.filter(({ removedIn }) => removedIn === null)),
    groupIdsThen: idsOf(
      memberships.filter(
        ({ addedIn, removedIn }) => addedIn <= change && (removedIn === null || removedIn > change),
      ),
    ),
    devices: await devicesOf(db, player, [...plans]),
  };
}

async function devicesOf(
  db: RawQueries,
  player: Player,
  plans: readonly Plan[],
): Promise<readonly DeviceOfPlayer[]> {
  const { partnerId, userId, uuid } = player;
  const uuids =
    uuid === undefined
      ? (
          await db.$queryRaw<{ uuid: string }[]>`
            SELECT uuid FROM devices WHERE partner_id = ${partnerId} AND user_id = ${userId}`
        ).map((device) => device.uuid)
      : [uuid];
  const installed = await installedOf(db, player, plans);
  const devices = uuids.map((one) => ({
    uuid: one,
    place: one === null ? null : placeOf(one),
    hasInstalledOf: (fileId: number, version: number) => installed.has(`${fileId} ${version} ${one}`),
  }));
  return devices.length > 0 ? devices : [{ uuid: null, place: null, hasInstalledOf: () => false }];
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
    SELECT receipt.file_id AS "fileId", receipt.version, device.uuid
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

/** Those of plans that do not give everyone whom their file reaches its newest version. */
export const stagedOf = <P extends Plan>(plans: ReadonlyMap<number, P>): P[] =>
  [...plans.values()].filter((plan) => !isPlain(plan));

/** The version of each of these files that somebody is to have, where not all have the current one; null: none. */
export async function chosenLayers(
  db: RawQueries,
  player: Player,
  plans: ReadonlyMap<number, Plan>,
): Promise<Map<number, Layer | null>> {
  const staged = stagedOf(plans);
  return staged.length === 0 ? new Map() : layersFor(staged, await knowPlayer(db, player, staged));
}

/** The same of who is known. */
export const layersFor = (staged: readonly Plan[], who: KnownPlayer): Map<number, Layer | null> =>
  new Map(staged.map((plan) => [plan.fileId, layerOf(plan, who, who.groupIds) ?? null]));
