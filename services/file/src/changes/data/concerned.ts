import { limits } from '@portal/contracts';
import { everyone } from '../../assignments/domain/everyone.ts';
import { Prisma } from '../../data/generated/client.ts';
import type { Change } from '../../files/data/changes.ts';
import { placedVersion, wantedVersion } from '../../rollouts/data/plan-sql.ts';
import { haltedOf, type Plan } from '../../rollouts/domain/plan.ts';
import type { Delivered } from '../domain/outcome.ts';

const { sql } = Prisma;

/** How a change concerns somebody. */
export const concerns = ['gains', 'loses', 'changes'] as const;
export type Concern = (typeof concerns)[number];

export interface Concerned {
  readonly users: number;
  readonly devices: number;
  /** The same for the same people, whoever they are and however many devices they have. */
  readonly people: string;
}

/** What two moments give. */
interface Compared {
  readonly had: Delivered;
  readonly has: Delivered;
}

type Place = Pick<Change, 'db' | 'partnerId'>;

/** Whether the audience has one of these groups. */
const isIn = ({ groupIds }: Delivered) =>
  sql`(${groupIds.includes(everyone)} OR audience.group_ids && ${[...groupIds]}::integer[])`;

/** The version that somebody of `audience` gets, where stages decide by `ofPlan`. */
function versionOf(delivered: Delivered, ofPlan?: (plan: Plan) => Prisma.Sql): Prisma.Sql {
  const { plan, version } = delivered;
  const theirs = plan && version !== null && ofPlan ? ofPlan(plan) : sql`${version}::integer`;
  return sql`CASE WHEN ${isIn(delivered)} THEN ${theirs} END`;
}

/** How a change concerns the people of `audience`, who are in the same groups; null: in no way. */
const concernOf = ({ had, has }: Compared) => sql`
  CASE WHEN ${versionOf(had)} IS NULL AND ${versionOf(has)} IS NOT NULL THEN 'gains'
    WHEN ${versionOf(had)} IS NOT NULL AND ${versionOf(has)} IS NULL THEN 'loses'
    WHEN ${versionOf(had)} <> ${versionOf(has)} THEN 'changes' END`;

interface Tally {
  readonly concern: Concern;
  readonly users: number;
  readonly devices: number;
  readonly people: string;
}

/** Who is concerned, and how. Sums over the sets of groups that people are in, so a million of them cost what their sets cost. */
export async function countConcerned(place: Place, compared: Compared): Promise<Record<Concern, Concerned>> {
  const rows = isStaged(compared) ? await countStaged(place, compared) : await countPlain(place, compared);
  const of = (wanted: Concern): Concerned => {
    const { devices = 0, people = '0', users = 0 } = rows.find(({ concern }) => concern === wanted) ?? {};
    return { devices, people, users };
  };
  return { gains: of('gains'), loses: of('loses'), changes: of('changes') };
}

const isStaged = ({ had, has }: Compared): boolean => had.plan !== null || has.plan !== null;

async function countPlain({ db, partnerId }: Place, compared: Compared): Promise<Tally[]> {
  return db.$queryRaw<Tally[]>`
    SELECT concern, sum(people)::integer AS users, sum(devices)::integer AS devices, sum(fingerprint)::text AS people
    FROM (
      SELECT audience.people, audience.devices, audience.fingerprint, ${concernOf(compared)} AS concern
      FROM audiences audience WHERE audience.partner_id = ${partnerId} AND audience.people > 0
    ) counted
    WHERE concern IS NOT NULL GROUP BY concern`;
}

/**
 * `kept`: the people with a device that has installed what was halted, which it keeps; these alone are looked at device by device.
 * `one`: each who is reached before or after, one row for a device, with the version that it had and has. `who` is one of `kept` or, below
 * 0, all others with devices at the same places, which decide alone.
 */
function stagedRows(partnerId: number, compared: Compared): Prisma.Sql {
  const { had, has } = compared;
  const plans = [had, has].flatMap(({ plan }) => plan ?? []);
  const halted = [...new Set(plans.flatMap((plan) => haltedOf(plan).map(({ version }) => version)))];
  const reached = sql`audience.partner_id = ${partnerId} AND audience.people > 0 AND (${isIn(had)} OR ${isIn(has)})`;
  const groupIds = sql`audience.group_ids`;
  const place = sql`device.place`;
  const placed = (delivered: Delivered) =>
    versionOf(delivered, (plan) => placedVersion(plan, { place, groupIds }));
  const wanted = (delivered: Delivered) =>
    versionOf(delivered, (plan) => wantedVersion(plan, { id: sql`device.id`, place, groupIds }));
  return sql`
    kept AS MATERIALIZED (
      SELECT person.user_id, person.audience_id, person.places FROM people person
      WHERE person.partner_id = ${partnerId} AND person.user_id IN (
        SELECT device.user_id FROM receipts receipt JOIN devices device ON device.id = receipt.device_id
        WHERE receipt.partner_id = ${partnerId} AND receipt.file_id = ${plans[0]?.fileId ?? 0}
          AND receipt.version = ANY (${halted}::integer[]) AND receipt.status = 'installed' AND receipt.audience_id IS NOT NULL)
    ), others AS MATERIALIZED (
      SELECT max(id) AS id, audience_id, places, sum(people)::integer AS people FROM (
        SELECT id, audience_id, places, people FROM audience_places WHERE partner_id = ${partnerId}
        UNION ALL SELECT NULL, audience_id, places, -1 FROM kept
      ) counted GROUP BY 2, 3
    ), one AS MATERIALIZED (
      SELECT -spread.id AS who, spread.people, (device.place IS NOT NULL)::integer AS devices, audience.id AS audience_id,
        ${placed(had)} AS had, ${placed(has)} AS has
      FROM audiences audience
      JOIN others spread ON spread.audience_id = audience.id
      CROSS JOIN LATERAL (
        SELECT unnest(CASE spread.places WHEN '{}' THEN ARRAY[NULL]::integer[] ELSE spread.places END) AS place
      ) device
      WHERE ${reached} AND spread.people > 0
      UNION ALL
      SELECT kept.user_id, 1, 1, audience.id, ${wanted(had)}, ${wanted(has)}
      FROM kept JOIN audiences audience ON audience.id = kept.audience_id JOIN devices device ON device.user_id = kept.user_id
      WHERE ${reached}
    )`;
}

/** A person gains with the first device that does, and loses with the last. */
const concernOfPerson = sql`
  CASE WHEN bool_and(had IS NULL) AND bool_or(has IS NOT NULL) THEN 'gains'
    WHEN bool_or(had IS NOT NULL) AND bool_and(has IS NULL) THEN 'loses'
    WHEN bool_or(had IS DISTINCT FROM has) THEN 'changes' END`;

/** Who they are is told by the sets of groups that they are of, with the number of them. */
async function countStaged({ db, partnerId }: Place, compared: Compared): Promise<Tally[]> {
  return db.$queryRaw<Tally[]>`
    WITH ${stagedRows(partnerId, compared)},
    person AS (SELECT who, audience_id, max(people) AS people, ${concernOfPerson} AS concern FROM one GROUP BY 1, 2),
    counted AS (SELECT concern, audience_id, sum(people) AS users FROM person WHERE concern IS NOT NULL GROUP BY 1, 2),
    device AS (
      SELECT CASE WHEN had IS NULL THEN 'gains' WHEN has IS NULL THEN 'loses' ELSE 'changes' END AS concern,
        sum(people * devices) AS devices
      FROM one WHERE had IS DISTINCT FROM has GROUP BY 1
    )
    SELECT coalesce(told.concern, device.concern) AS concern, coalesce(told.users, 0)::integer AS users,
      coalesce(device.devices, 0)::integer AS devices, coalesce(told.people, '0') AS people
    FROM (
      SELECT counted.concern, sum(users) AS users,
        sum(audience.fingerprint)::text || ' ' || sum(users)::text AS people
      FROM counted JOIN audiences audience ON audience.id = counted.audience_id GROUP BY 1
    ) told
    FULL JOIN device ON device.concern = told.concern`;
}

/** Of so few people it is quicker to sort them than to look for them in the order of all names. */
const few = 20_000;

/** The names of the first people whom a change concerns in one way, in the order of names. */
export async function namesOfConcerned(
  { db, partnerId }: Place,
  compared: Compared,
  concern: Concern,
  users: number,
): Promise<string[]> {
  if (users === 0) return [];
  if (isStaged(compared)) return stagedNames({ db, partnerId }, compared, concern, users);
  const audiences = sql`
    SELECT audience.id FROM audiences audience
    WHERE audience.partner_id = ${partnerId} AND audience.people > 0 AND ${concernOf(compared)} = ${concern}`;
  const rows =
    users < few
      ? await db.$queryRaw<{ name: string }[]>`
          WITH person AS MATERIALIZED (
            SELECT person.user_id, person.name, person.name_folded FROM people person
            WHERE person.partner_id = ${partnerId} AND person.audience_id IN (${audiences})
          )
          SELECT name FROM person ORDER BY name_folded, user_id LIMIT ${limits.previewNames}`
      : await db.$queryRaw<{ name: string }[]>`
          SELECT person.name FROM people person
          WHERE person.partner_id = ${partnerId} AND person.audience_id = ANY (ARRAY(${audiences}))
          ORDER BY person.name_folded, person.user_id LIMIT ${limits.previewNames}`;
  return rows.map(({ name }) => name);
}

/** The same in stages. Who they are is looked up in memory for each person: a join would go through all people of each set of places. */
async function stagedNames(
  { db, partnerId }: Place,
  compared: Compared,
  concern: Concern,
  users: number,
): Promise<string[]> {
  const whos = sql`
    ${stagedRows(partnerId, compared)},
    whos AS MATERIALIZED (SELECT who FROM one GROUP BY who HAVING ${concernOfPerson} = ${concern}),
    places AS MATERIALIZED (
      SELECT spread.audience_id, spread.places FROM whos JOIN audience_places spread ON spread.id = -whos.who
    )`;
  const people = sql`
    FROM people person WHERE person.partner_id = ${partnerId} AND CASE
      WHEN person.user_id IN (SELECT user_id FROM kept) THEN person.user_id IN (SELECT who FROM whos)
      ELSE (person.audience_id, person.places) IN (SELECT audience_id, places FROM places) END`;
  const rows =
    users < few
      ? await db.$queryRaw<{ name: string }[]>`
          WITH ${whos}, found AS MATERIALIZED (SELECT person.user_id, person.name, person.name_folded ${people})
          SELECT name FROM found ORDER BY name_folded, user_id LIMIT ${limits.previewNames}`
      : await db.$queryRaw<{ name: string }[]>`
          WITH ${whos} SELECT person.name ${people}
          ORDER BY person.name_folded, person.user_id LIMIT ${limits.previewNames}`;
  return rows.map(({ name }) => name);
}
