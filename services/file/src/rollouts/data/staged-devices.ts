import { type deliveryRoutes, type PageReply } from '@portal/contracts';
import { orderedBy, pageReply } from '@portal/database';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { all, type Counted, countDelivered, ofReceipts } from '../../receipts/data/delivered.ts';
import { type DeliveryState, deliveryStates } from '../../receipts/data/delivery-numbers.ts';
import {
  byIds,
  type DeviceRow,
  inDeviceOrder,
  isIn,
  pageOf,
  type Rows,
  rowsOf,
  type Stretch,
  sortsFew,
  usuallyFew,
} from '../../receipts/data/device-rows.ts';
import {
  type Asked,
  asksText,
  asksTold,
  type DevicesByState,
  type FoundDevices,
} from '../../receipts/data/found-devices.ts';
import {
  type DeviceSet,
  hasDevice,
  inAny,
  inBoth,
  noDevices,
  without,
} from '../../receipts/domain/device-set.ts';
import { haltedOf, type Plan } from '../domain/plan.ts';
import { placedVersion } from './plan-sql.ts';

type DeliveryQuery = z.output<(typeof deliveryRoutes.listDeliveryDevices)['query']>;

/** A file whose versions go out in stages, and the groups that have it. */
interface Staged {
  readonly partnerId: number;
  readonly plan: Plan;
  readonly groupIds: readonly number[];
}

export interface StagedList {
  /**
   * One page of the devices that the file reaches, each with the version that it is to have. One that is asked for has also
   * those that told of it, unless only the targeted ones are asked for.
   */
  page(db: FileDb, staged: Staged, query: DeliveryQuery): Promise<PageReply & { devices: DeviceRow[] }>;
}

/** The devices that are in the list with one version. */
interface PartSets {
  readonly version: number;
  readonly byState: DevicesByState;
  readonly devices: DeviceSet;
}

interface Part extends PartSets {
  readonly asked: Asked;
}

const { sql } = Prisma;
/** So many lists are remembered, each some bits for each device: pages follow each other. */
const mostRecent = 8;

/**
 * Which devices are to have which version is known as a bit for each, as are those that pass filters: what is left is to read a page
 * along the indexes of what was told of each version, put together in their order.
 */
export function createStagedList(found: FoundDevices, few = usuallyFew): StagedList {
  const recent = new LRUCache<string, { readonly changes: string; readonly sets: readonly PartSets[] }>({
    max: mostRecent,
  });
  return {
    async page(db, staged, query) {
      const shown = await shownVersions(db, staged, query);
      const changes = shown.map(({ counted }) => counted.changes).join();
      const question = questionOf(staged, query);
      const known = recent.get(question);
      const sets = known?.changes === changes ? known.sets : await partsOf(found, staged, shown, query);
      recent.set(question, { changes, sets });
      const parts = sets.flatMap((one): Part[] => {
        const asked = shown.find(({ delivered }) => delivered.version === one.version);
        return asked ? [{ ...one, asked }] : [];
      });
      const stretches = await stretchesOf(found, parts, query, few);
      const { ids, total } = await pageOf(stretches, query);
      const versions = ids.map((id) => parts.find(({ devices }) => hasDevice(devices, id))?.version ?? 0);
      const { fileId } = staged.plan;
      const devices = await rowsOf(
        db,
        { ...staged, fileId },
        ids.map((id, index) => ({ id, version: versions[index] ?? 0 })),
      );
      return { devices, ...pageReply(total, query) };
    },
  };
}

/** The versions that somebody may be to have, the newest first, and the one that is asked for. */
async function shownVersions(
  db: FileDb,
  { groupIds, partnerId, plan }: Staged,
  filters: DeliveryQuery,
): Promise<Asked[]> {
  const versions = new Set(plan.layers.map(({ version }) => version));
  if (filters.version !== undefined) versions.add(filters.version);
  const shown: Asked[] = [];
  for (const version of versions) {
    const { fileId } = plan;
    const delivered = { partnerId, fileId, groupIds, version, group: filters.group, isCurrent: true };
    shown.push({ db, delivered, filters, counted: await countDelivered(db, delivered) });
  }
  return shown;
}

/** What the sets of a list depend on, but for what has changed. */
const questionOf = (
  { groupIds, partnerId, plan }: Staged,
  { atEnd, atStart, device, group, reason, status, targeted, user, version }: DeliveryQuery,
): string =>
  JSON.stringify([
    ...[partnerId, plan.fileId, planKey(plan), groupIds],
    ...[atEnd, atStart, device, group, reason, status, targeted, user, version].map((asked) => asked ?? null),
  ]);

/** The newest version first. */
async function partsOf(
  found: FoundDevices,
  { plan }: Staged,
  shown: readonly Asked[],
  { targeted, version: only }: DeliveryQuery,
): Promise<PartSets[]> {
  const wanted = await wantedDevices(found, plan, shown.slice(0, plan.layers.length));
  const others = only !== undefined && !targeted;
  const parts: PartSets[] = [];
  for (const asked of shown) {
    const { version } = asked.delivered;
    if (only !== undefined && version !== only) continue;
    const byState = await statesOf(found, asked, wanted.get(version) ?? noDevices, others);
    parts.push({ version, byState, devices: inAny([...byState.values()]) });
  }
  return parts;
}

/** The devices that are to have each version: what their places give them, but for those that keep one that was halted. */
async function wantedDevices(
  found: FoundDevices,
  plan: Plan,
  layers: readonly Asked[],
): Promise<Map<number, DeviceSet>> {
  const [newest] = layers;
  if (!newest) return new Map();
  const placed = await found.byKey(newest, ['placed', plan.fileId, planKey(plan)], (counted) =>
    placedDevices(newest, plan, counted),
  );
  const wanted = new Map(
    plan.layers.map(({ version }) => [version, placed.get(String(version)) ?? noDevices]),
  );
  const halted = new Set(haltedOf(plan).map(({ version }) => version));
  for (const [index, asked] of layers.entries()) {
    const { version } = asked.delivered;
    if (!halted.has(version)) continue;
    const installed = (await found.told(asked)).get('installed') ?? noDevices;
    const newer = inAny(layers.slice(0, index).map((one) => wanted.get(one.delivered.version) ?? noDevices));
    const kept = without(installed, newer);
    wanted.set(version, inAny([wanted.get(version) ?? noDevices, kept]));
    for (const older of layers.slice(index + 1)) {
      const theirs = wanted.get(older.delivered.version) ?? noDevices;
      wanted.set(older.delivered.version, without(theirs, kept));
    }
  }
  return wanted;
}

/** The same for plans that give the same devices the same versions by their places. */
const planKey = ({ layers }: Plan): unknown =>
  layers.map(({ rollout, turn, version }) => [
    version,
    turn,
    rollout && [
      rollout.state === 'open',
      rollout.keeps,
      rollout.stages
        .filter(({ startedAt }) => startedAt !== null)
        .map(({ groupIds, percent }) => [percent, groupIds]),
    ],
  ]);

function placedDevices({ delivered }: Asked, plan: Plan, { audienceIds }: Counted): Prisma.Sql {
  const version = placedVersion(plan, { place: sql`device.place`, groupIds: sql`audience.group_ids` });
  return sql`
    SELECT placed.version::text AS state, device.id
    FROM devices device JOIN audiences audience ON audience.id = device.audience_id
    CROSS JOIN LATERAL (SELECT ${version} AS version) placed
    WHERE device.partner_id = ${delivered.partnerId} AND device.audience_id = ANY (${[...audienceIds]}::integer[])
      AND placed.version IS NOT NULL`;
}

/** Those that pass, by what they told of the version; with `others` also who told of it and is to have another. */
async function statesOf(
  found: FoundDevices,
  asked: Asked,
  wanted: DeviceSet,
  others: boolean,
): Promise<DevicesByState> {
  const { filters } = asked;
  const told = await found.toldAs(asked);
  const text = asksText(filters) ? await found.byText(asked) : undefined;
  const states = new Map<DeliveryState, DeviceSet>();
  for (const state of deliveryStates) {
    if (filters.status && !filters.status.includes(state)) continue;
    if (state === 'not_seen' && asksTold(filters)) continue;
    const some =
      state === 'not_seen'
        ? without(wanted, inAny([...told.values()]))
        : others && state !== 'seen'
          ? (told.get(state) ?? noDevices)
          : inBoth(told.get(state) ?? noDevices, wanted);
    states.set(state, text ? inBoth(some, text) : some);
  }
  return states;
}

async function stretchesOf(
  found: FoundDevices,
  parts: readonly Part[],
  query: DeliveryQuery,
  few: number,
): Promise<Stretch[]> {
  const { order, orderKey } = query;
  const [first] = parts;
  if (!first) return [];
  const inStates = (states: readonly DeliveryState[]) =>
    inAny(parts.flatMap(({ byState }) => states.flatMap((state) => byState.get(state) ?? [])));
  switch (orderKey) {
    case 'user':
    case 'device':
      return [inDeviceOrder(first.asked, inAny(parts.map(({ devices }) => devices)), query, few)];
    case 'version':
      return (order === 'desc' ? parts : parts.toReversed()).map(({ devices }) => byIds(devices, order));
    case 'status':
      return (order === 'asc' ? deliveryStates : deliveryStates.toReversed()).map((state) =>
        byIds(inStates([state]), order),
      );
    case 'at': {
      const told = parts.map((part) => ({
        ...part,
        devices: without(part.devices, part.byState.get('not_seen') ?? noDevices),
      }));
      return [inToldOrder(told, 'at', query, few), byIds(inStates(['not_seen']), order)];
    }
    case 'reason': {
      const reasoned: Part[] = [];
      for (const part of parts) {
        reasoned.push({ ...part, devices: inBoth(part.devices, await found.withReason(part.asked)) });
      }
      const rest = parts.map(({ devices }, index) => without(devices, reasoned[index]?.devices ?? noDevices));
      return [inToldOrder(reasoned, 'reason', query, few), byIds(inAny(rest), order)];
    }
  }
}

/** What was told of several versions, each along its index. */
function inToldOrder(
  parts: readonly Part[],
  column: 'at' | 'reason',
  { order }: DeliveryQuery,
  few: number,
): Stretch {
  const some = parts.filter(({ devices }) => devices.size > 0);
  const count = some.reduce((sum, { devices }) => sum + devices.size, 0);
  const [first] = some;
  const key = column === 'at' ? sql`receipt.at` : sql`receipt.reason`;
  // Each in its order, which its index has: PostgreSQL sorts all that they are put together of otherwise.
  const ofPart = ({ asked, devices }: Part, reversed: boolean) => sql`
    (SELECT receipt.device_id AS id, ${key} AS key FROM receipts receipt
    WHERE ${all([
      ofReceipts(asked.delivered),
      isIn(sql`receipt.device_id`, devices, few),
      // What else the indexes have.
      sql`receipt.audience_id IS NOT NULL`,
      ...(column === 'reason' ? [sql`receipt.reason IS NOT NULL`] : []),
    ])}
    ORDER BY ${orderedBy(key, sql`receipt.device_id`, { nullable: false, order, reversed })})`;
  return {
    count,
    async read({ reversed, skip, take }: Rows) {
      if (!first) return [];
      const rows = await sortsFew(
        first.asked.db,
        count <= few,
        async () =>
          first.asked.db.$queryRaw<{ id: number }[]>`
          SELECT id FROM (${Prisma.join(
            some.map((part) => ofPart(part, reversed)),
            ' UNION ALL ',
          )}) told
          ORDER BY ${orderedBy(sql`key`, sql`id`, { nullable: false, order, reversed })} LIMIT ${take} OFFSET ${skip}`,
      );
      return rows.map(({ id }) => id);
    },
  };
}
