import { everyone } from '../../assignments/domain/everyone.ts';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import {
  allStates,
  type DeliveryNumbers,
  type DeliveryState,
  type DeliverySummary,
  type GroupSet,
  setsAsJson,
} from '../../receipts/data/delivery-numbers.ts';
import { haltedOf, type Plan } from '../domain/plan.ts';
import { installedBits, installedIn, placedVersion, versionFor } from './plan-sql.ts';

/** The numbers of one version among the people of one of the sets of groups, without the reasons of failures. */
export type StagedNumbers = Omit<DeliveryNumbers, 'failureReasons'>;

/** By set and version. */
export interface NumbersByVersion {
  of(set: number, version: number): StagedNumbers;
  /** The same, for a list of files. */
  summary(set: number, version: number): DeliverySummary;
}

interface Tally {
  readonly set: number;
  readonly version: number;
  readonly users?: bigint;
  readonly devices?: bigint;
  readonly status?: DeliveryState;
  readonly count?: bigint;
}

const { sql } = Prisma;

const tenantsOf = (sets: readonly GroupSet[]): number[] => [
  ...new Set(sets.flat().map(({ partnerId }) => partnerId)),
];

/** The audiences of each of some sets of groups. */
const reachedBy = (sets: readonly GroupSet[]): Prisma.Sql => sql`
  asked AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${setsAsJson(sets)}::jsonb) AS one (set integer, "partnerId" integer, "groupIds" integer[])
  ), reached AS MATERIALIZED (
    SELECT asked.set, audience.id, audience.group_ids FROM asked
    JOIN audiences audience ON audience.partner_id = asked."partnerId"
      AND (${everyone}::integer = ANY (asked."groupIds") OR audience.group_ids && asked."groupIds")
  )`;

/**
 * Who is to have which version of a file whose versions go out in stages, and what has become of it: each person and device once in each
 * set of groups. What is counted by places tells it; only of versions that were halted those devices are looked at that have them
 * installed.
 */
export async function stagedNumbers(
  db: FileDb,
  plan: Plan,
  sets: readonly GroupSet[],
): Promise<NumbersByVersion> {
  const reached = reachedBy(sets);
  const tallies = [
    ...(await countTargeted(db, plan, reached)),
    ...(await countStates(db, plan, reached)),
    ...(haltedOf(plan).length > 0 ? await countKept(db, tenantsOf(sets), plan, reached) : []),
  ];
  const bySet = Map.groupBy(tallies, ({ set, version }) => `${set} ${version}`);
  const of = (set: number, version: number): StagedNumbers => {
    const some = bySet.get(`${set} ${version}`) ?? [];
    const sum = (pick: (tally: Tally) => bigint | undefined) =>
      Number(some.reduce((all, tally) => all + BigInt(pick(tally) ?? 0), 0n));
    const told = Object.fromEntries(
      Object.entries(Object.groupBy(some, ({ status }) => status ?? 'not_seen'))
        .filter(([status]) => status !== 'not_seen')
        .map(([status, ofStatus]) => [
          status,
          Number(ofStatus.reduce((all, { count }) => all + BigInt(count ?? 0), 0n)),
        ]),
    );
    const devices = sum((tally) => tally.devices);
    return { targeted: { users: sum((tally) => tally.users), devices }, states: allStates(devices, told) };
  };
  return {
    of,
    summary(set, version) {
      const { states, targeted } = of(set, version);
      const { failed, installed } = states;
      const onTheWay = states.downloading + states.downloaded;
      const { devices } = targeted;
      return { devices, installed, onTheWay, failed, notYet: devices - installed - onTheWay - failed };
    },
  };
}

/** People and devices by the version that the places of their devices give them. */
async function countTargeted(db: FileDb, plan: Plan, reached: Prisma.Sql): Promise<Tally[]> {
  const version = placedVersion(plan, { place: sql`device.place`, groupIds: sql`reached.group_ids` });
  return db.$queryRaw<Tally[]>`
    WITH ${reached}
    SELECT set, version, sum(people)::bigint AS users, sum(people * devices)::bigint AS devices FROM (
      SELECT reached.set, spread.id, spread.people, wanted.version, count(device.place) AS devices
      FROM reached JOIN audience_places spread ON spread.audience_id = reached.id
      CROSS JOIN LATERAL (
        SELECT unnest(CASE spread.places WHEN '{}' THEN ARRAY[NULL]::integer[] ELSE spread.places END) AS place
      ) device
      CROSS JOIN LATERAL (SELECT ${version} AS version) wanted
      WHERE wanted.version IS NOT NULL
      GROUP BY 1, 2, 3, 4
    ) one GROUP BY 1, 2`;
}

async function countStates(db: FileDb, plan: Plan, reached: Prisma.Sql): Promise<Tally[]> {
  const version = placedVersion(plan, { place: sql`known.place`, groupIds: sql`reached.group_ids` });
  return db.$queryRaw<Tally[]>`
    WITH ${reached}
    SELECT reached.set, known.version, known.status, sum(known.count)::bigint AS count
    FROM reached JOIN place_counts known ON known.audience_id = reached.id
    WHERE known.file_id = ${plan.fileId} AND known.version = ANY (${plan.layers.map((layer) => layer.version)}::integer[])
      AND known.version = ${version}
    GROUP BY 1, 2, 3`;
}

/**
 * Devices that keep a version that was halted: what they are to have instead of what their place gives them. A set of groups changes
 * nothing for a device, so each is looked at once, and what is counted of an audience is added up by sets.
 */
async function countKept(
  db: FileDb,
  partnerIds: readonly number[],
  plan: Plan,
  reached: Prisma.Sql,
): Promise<Tally[]> {
  const { fileId } = plan;
  const halted = haltedOf(plan).map((layer) => layer.version);
  const device = { place: sql`device.place`, groupIds: sql`audience.group_ids` };
  const wanted = versionFor(plan, device, installedIn(sql`installed.bits`, halted));
  const rows = await db.$queryRaw<(Tally & { sign: number })[]>`
    WITH ${reached}, installed AS MATERIALIZED (${installedBits(partnerIds, fileId, halted)}
    ), kept AS MATERIALIZED (
      SELECT device.id, device.user_id, device.audience_id, audience.group_ids, wanted.version, placed.version AS instead
      FROM installed
      JOIN devices device ON device.id = installed.device_id
      JOIN audiences audience ON audience.id = device.audience_id
      CROSS JOIN LATERAL (SELECT ${wanted} AS version) wanted
      CROSS JOIN LATERAL (SELECT ${placedVersion(plan, device)} AS version) placed
      WHERE device.audience_id = ANY (ARRAY(SELECT id FROM reached)) AND wanted.version IS DISTINCT FROM placed.version
    ), ofUsers AS (
      SELECT audience_id, user_id, instead, group_ids, count(*) AS devices FROM kept GROUP BY 1, 2, 3, 4
    ), told AS (
      SELECT 1 AS sign, audience_id, version, count(DISTINCT user_id) AS users, count(*) AS devices, NULL AS status, NULL::bigint AS count
      FROM kept GROUP BY 2, 3
      UNION ALL SELECT 1, audience_id, version, NULL, NULL, 'installed', count(*) FROM kept GROUP BY 2, 3
      UNION ALL SELECT -1, audience_id, instead, NULL, count(*), NULL, NULL FROM kept WHERE instead IS NOT NULL GROUP BY 2, 3
      UNION ALL SELECT -1, kept.audience_id, kept.instead, NULL, NULL, receipt.status, count(*)
      FROM kept JOIN receipts receipt ON receipt.file_id = ${fileId} AND receipt.version = kept.instead AND receipt.device_id = kept.id
      GROUP BY 2, 3, 6
      UNION ALL SELECT -1, ofUsers.audience_id, instead, count(*), NULL, NULL, NULL
      FROM ofUsers JOIN people person ON person.user_id = ofUsers.user_id
      WHERE instead IS NOT NULL AND ofUsers.devices = (
        SELECT count(*) FROM unnest(person.places) device (place)
        WHERE instead = ${placedVersion(plan, { place: sql`device.place`, groupIds: sql`ofUsers.group_ids` })})
      GROUP BY 2, 3
    )
    SELECT told.sign, reached.set, told.version, sum(told.users)::bigint AS users, sum(told.devices)::bigint AS devices, told.status,
      sum(told.count)::bigint AS count
    FROM told JOIN reached ON reached.id = told.audience_id GROUP BY 1, 2, 3, 6`;
  const signed = (value: bigint | null | undefined, sign: number) => (value ? BigInt(sign) * value : 0n);
  return rows.map(({ count, devices, sign, status, users, ...of }) => ({
    ...of,
    users: signed(users, sign),
    devices: signed(devices, sign),
    ...(status ? { status, count: signed(count, sign) } : {}),
  }));
}
