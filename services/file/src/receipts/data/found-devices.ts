import { LRUCache } from 'lru-cache';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { type DeviceSet, inAny, inBoth, noDevices, setOf, without } from '../domain/device-set.ts';
import {
  type Counted,
  type Delivered,
  type DeliveryFilters,
  deviceConditions,
  inAudiences,
  ofReceipts,
  receiptConditions,
} from './delivered.ts';
import { type DeliveryState, deliveryStates } from './delivery-numbers.ts';

/** A question about the devices of a delivery. */
export interface Asked {
  readonly db: FileDb;
  readonly delivered: Delivered;
  readonly counted: Counted;
  readonly filters: DeliveryFilters;
}

export type DevicesByState = ReadonlyMap<DeliveryState, DeviceSet>;

/**
 * Which devices pass filters, each found by looking at all of them or at all that was told of the version once. An answer holds
 * until something of it changes, of which the counts tell in the transaction of the change.
 */
export interface FoundDevices {
  /** Those in any of `states` that pass all filters, by their state. */
  byState(asked: Asked, states: readonly DeliveryState[]): Promise<DevicesByState>;
  /** All whose people and names pass, whatever they told. */
  byText(asked: Asked): Promise<DeviceSet>;
  /** Those that told a reason. */
  withReason(asked: Asked): Promise<DeviceSet>;
  /** All to whom the version was shown or that told of it, by their state. */
  told(asked: Asked): Promise<DevicesByState>;
  /** Those of them that pass the filters on what was told. */
  toldAs(asked: Asked): Promise<DevicesByState>;
  /** The devices of `source` by the text in its column `state`, which depends on devices and their groups alone. */
  byKey(
    asked: Asked,
    question: readonly unknown[],
    source: (counted: Counted) => Prisma.Sql,
  ): Promise<ReadonlyMap<string, DeviceSet>>;
}

const { sql } = Prisma;
const mostBytes = 32 * 1024 ** 2;

/** Whether filters ask for a text of the device or its person. */
export const asksText = ({ device, user }: DeliveryFilters): boolean => Boolean(device) || Boolean(user);
/** Whether filters ask for what was told. */
export const asksTold = ({ atEnd, atStart, reason }: DeliveryFilters): boolean =>
  atStart !== undefined || atEnd !== undefined || Boolean(reason);

export function createFoundDevices(): FoundDevices {
  const answers = new LRUCache<
    string,
    { readonly changes: string; readonly found: ReadonlyMap<string, DeviceSet> }
  >({
    maxSize: mostBytes,
    sizeCalculation: ({ found }, question) =>
      [...found.values()].reduce((sum, { words }) => sum + words.byteLength, 2 * question.length + 500),
  });

  async function remembered<Key extends string>(
    question: unknown,
    changes: string,
    find: () => Promise<ReadonlyMap<Key, DeviceSet>>,
  ): Promise<ReadonlyMap<Key, DeviceSet>> {
    const key = JSON.stringify(question);
    const known = answers.get(key);
    // Of the same question.
    if (known?.changes === changes) return known.found as ReadonlyMap<Key, DeviceSet>;
    const found = await find();
    answers.set(key, { changes, found });
    return found;
  }

  async function byText({ counted, db, delivered, filters }: Asked): Promise<DeviceSet> {
    const { group, groupIds, partnerId } = delivered;
    const { device, user } = filters;
    const found = await remembered(
      ['devices', partnerId, groupIds, group, device, user],
      counted.deviceChanges,
      async () =>
        setsOf(
          db,
          sql`SELECT 'all' AS state, device.id FROM devices device
            WHERE device.partner_id = ${partnerId} AND ${inAudiences('device', counted)} AND ${deviceConditions(partnerId, filters)}`,
        ),
    );
    return found.values().next().value ?? noDevices;
  }

  async function toldAs({ counted, db, delivered, filters }: Asked): Promise<DevicesByState> {
    const { fileId, group, groupIds, partnerId, version } = delivered;
    const { atEnd, atStart, reason } = filters;
    return remembered<DeliveryState>(
      ['told', partnerId, fileId, version, groupIds, group, atStart, atEnd, reason],
      counted.changes,
      async () =>
        setsOf(
          db,
          sql`SELECT receipt.status AS state, receipt.device_id AS id FROM receipts receipt
            WHERE ${ofReceipts(delivered)} AND ${inAudiences('receipt', counted)} AND ${receiptConditions({ atStart, atEnd, reason })}
              AND ${reason ? sql`receipt.reason IS NOT NULL` : sql`true`}`,
        ),
    );
  }

  return {
    byText,
    toldAs,
    told: async (asked) => toldAs({ ...asked, filters: {} }),
    byKey: async ({ counted, db, delivered }, question, source) => {
      const { group, groupIds, partnerId } = delivered;
      return remembered<string>([...question, partnerId, groupIds, group], counted.deviceChanges, async () =>
        setsOf(db, source(counted)),
      );
    },
    async byState(asked, states) {
      const ofTold = await toldAs(asked);
      const passing = asksText(asked.filters) ? await byText(asked) : undefined;
      const found = new Map<DeliveryState, DeviceSet>();
      for (const state of deliveryStates.filter((one) => states.includes(one))) {
        if (state === 'not_seen') {
          found.set(state, without(passing ?? (await byText(asked)), inAny([...ofTold.values()])));
        } else {
          const some = ofTold.get(state) ?? noDevices;
          found.set(state, passing ? inBoth(some, passing) : some);
        }
      }
      return found;
    },
    async withReason({ counted, db, delivered }) {
      const { fileId, group, groupIds, partnerId, version } = delivered;
      const found = await remembered(
        ['reason', partnerId, fileId, version, groupIds, group],
        counted.changes,
        async () =>
          setsOf(
            db,
            sql`SELECT 'all' AS state, receipt.device_id AS id FROM receipts receipt
              WHERE ${ofReceipts(delivered)} AND ${inAudiences('receipt', counted)} AND receipt.reason IS NOT NULL`,
          ),
      );
      return found.values().next().value ?? noDevices;
    },
  };
}

/** The ids of `source` by its states; they come as bytes, which is a tenth of what rows would cost. */
async function setsOf<Key extends string>(
  db: FileDb,
  source: Prisma.Sql,
): Promise<ReadonlyMap<Key, DeviceSet>> {
  // All are looked at, which is worth the help of other processes however few are found.
  await db.$queryRaw`
    SELECT set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true)`;
  const rows = await db.$queryRaw<{ state: Key; ids: string }[]>`
    SELECT state, encode(string_agg(int4send(id), ''), 'base64') AS ids FROM (${source}) found GROUP BY state`;
  return new Map(rows.map(({ ids, state }) => [state, setOf(idsIn(Buffer.from(ids, 'base64')))]));
}

function idsIn(bytes: Buffer): Int32Array {
  const ids = new Int32Array(bytes.length / 4);
  for (let index = 0; index < ids.length; index += 1) ids[index] = bytes.readInt32BE(index * 4);
  return ids;
}
