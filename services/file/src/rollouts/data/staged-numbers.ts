import type { RawQueries } from '@portal/database';
import { everyone } from '../../assignments/domain/everyone.ts';
import { Prisma } from '../../data/generated/client.ts';
import {
  allStates,
  type DeliveryNumbers,
  type DeliverySummary,
  type GroupSet,
  setsAsJson,
} from '../../receipts/data/delivery-numbers.ts';
import type { Plan } from '../domain/plan.ts';
import { countKept, type Tally } from './kept-numbers.ts';
import { placedVersion } from './plan-sql.ts';

/** The numbers of one version among the people of one of the sets of groups, without the reasons of failures. */
export type StagedNumbers = Omit<DeliveryNumbers, 'failureReasons'>;

/** By set and version. */
export interface NumbersByVersion {
  of(set: number, version: number): StagedNumbers;
  /** The same, for a list of files. */
  summary(set: number, version: number): DeliverySummary;
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
 * set of groups. What is counted by places tells it, and what is counted of those who keep a version that was halted.
 */
export async function stagedNumbers(
  db: RawQueries,
  plan: Plan,
  sets: readonly GroupSet[],
): Promise<NumbersByVersion> {
  const reached = reachedBy(sets);
  const tallies = [
    ...(await countTargeted(db, plan, reached)),
    ...(await countStates(db, plan, reached)),
    ...(await countKept(db, tenantsOf(sets), plan, reached)),
  ];
  const bySet = Map.groupBy(tallies, ({ set, version }) => `${set} ${version}`);
  const of = (set: number, version: number): StagedNumbers => {
    const some = bySet.get(`${set} ${version}`) ?? [];
    const sum = (pick: (tally: Tally) => Tally['users']) =>
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
async function countTargeted(db: RawQueries, plan: Plan, reached: Prisma.Sql): Promise<Tally[]> {
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

async function countStates(db: RawQueries, plan: Plan, reached: Prisma.Sql): Promise<Tally[]> {
  const version = placedVersion(plan, { place: sql`known.place`, groupIds: sql`reached.group_ids` });
  return db.$queryRaw<Tally[]>`
    WITH ${reached}
    SELECT reached.set, known.version, known.status, sum(known.count)::bigint AS count
    FROM reached JOIN place_counts known ON known.audience_id = reached.id
    WHERE known.file_id = ${plan.fileId} AND known.version = ANY (${plan.layers.map((layer) => layer.version)}::integer[])
      AND known.version = ${version}
    GROUP BY 1, 2, 3`;
}
